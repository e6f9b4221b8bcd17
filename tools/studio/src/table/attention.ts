/** Calls somebody to the page who does something else meanwhile: its title, its icon, and a tone if they wish. */
import turnIcon from "./turn.svg";

let usual = "";

/** What the tab of the browser says. */
export function call(page: Document, title: string, isMyTurn: boolean): void {
  page.title = isMyTurn ? `● Your turn: ${title}` : title;
  const icon = page.querySelector<HTMLLinkElement>("link[rel=icon]");
  if (!icon) return;
  usual ||= icon.href; // in full: the address of the page changes, and with it what a relative one means
  const wanted = isMyTurn ? turnIcon : usual;
  if (icon.getAttribute("href") !== wanted) icon.href = wanted;
}

let speaker: AudioContext | undefined;

/** Two short tones; browsers are silent until somebody has clicked on the page. */
export function tone(): void {
  speaker ??= new AudioContext();
  void speaker.resume();
  for (const [number, pitch] of [660, 880].entries()) {
    const [wave, volume, at] = [speaker.createOscillator(), speaker.createGain(), speaker.currentTime + 0.16 * number];
    wave.frequency.value = pitch;
    volume.gain.setValueAtTime(0.12, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.15);
    wave.connect(volume).connect(speaker.destination);
    wave.start(at);
    wave.stop(at + 0.16);
  }
}
