/** The page that needs no server: its host runs in a worker. */
import { mount } from "svelte";
import ExportedApp from "./ExportedApp.svelte";
import { Game } from "./game/game.svelte";
import { workerTransport } from "./hosts/language-transport";
import { WorkerCarrier } from "./hosts/worker-carrier";
import "./style.css";

const carrier = new WorkerCarrier();
const game = new Game(carrier, workerTransport());
const target = document.getElementById("studio");
if (target) mount(ExportedApp, { target, props: { game } });
void carrier.open();

/** Without it the page works as well, but not without a network. */
void navigator.serviceWorker?.register(new URL("service-worker.js", document.baseURI)).catch(() => undefined);
