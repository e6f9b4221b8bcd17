import { mount } from "svelte";
import App from "./App.svelte";
import { Game } from "./game/game.svelte";
import { SocketCarrier, takeToken } from "./protocol/websocket";
import "./style.css";

const carrier = new SocketCarrier(takeToken(location, history, sessionStorage));
const game = new Game(carrier);
const target = document.getElementById("studio");
if (target) mount(App, { target, props: { game } });
carrier.open();
