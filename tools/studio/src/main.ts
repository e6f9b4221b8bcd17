import { mount } from "svelte";
import App from "./App.svelte";
import { socketTransport } from "./editor/transport";
import { Game } from "./game/game.svelte";
import { SocketCarrier, takeToken } from "./protocol/websocket";
import "./style.css";

const token = takeToken(location, history, sessionStorage);
const carrier = new SocketCarrier(token);
const game = new Game(carrier, socketTransport(token));
const target = document.getElementById("studio");
if (target) mount(App, { target, props: { game } });
carrier.open();
