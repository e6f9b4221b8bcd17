import { mount } from "svelte";
import App from "./App.svelte";
import { socketTransport } from "./editor/transport";
import { Game } from "./game/game.svelte";
import { Place } from "./protocol/places";
import { SocketCarrier } from "./protocol/websocket";
import "./style.css";

const place = new Place();
const carrier = new SocketCarrier(place);
const game = new Game(carrier, socketTransport(place));
const target = document.getElementById("studio");
if (target) mount(App, { target, props: { game } });
carrier.open();
