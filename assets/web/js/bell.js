// Calls the guest when it is their turn: a short sound, and a notice of the system when they look elsewhere. It is
// asked for once, remembered by the browser, and can be switched off.

import { $ } from "./dom.js";

const KEY = "parlor-bell";
let audio = null;

function choice() {
  try { return localStorage.getItem(KEY); } catch { return null; }
}

function keep(value) {
  try { localStorage.setItem(KEY, value); } catch { /* It is asked again next time. */ }
  draw();
}

const isOn = () => choice() === "on";

function draw() {
  const button = $("bell");
  button.setAttribute("aria-pressed", String(isOn()));
  button.title = isOn() ? "I call you on your turn. Press to switch it off." : "Call me when it's my turn";
  button.setAttribute("aria-label", "Call me when it's my turn");
}

async function switchOn() {
  keep("on");
  $("bell-question").hidden = true;
  chime();
  // Whoever forbids notices still hears the sound.
  if ("Notification" in window && Notification.permission === "default") await Notification.requestPermission();
}

function switchOff() {
  keep("off");
  $("bell-question").hidden = true;
}

// Two soft notes.
function chime() {
  try {
    audio ??= new AudioContext();
    audio.resume();
    [[660, 0], [880, 0.12]].forEach(([pitch, after]) => {
      const [note, volume] = [audio.createOscillator(), audio.createGain()];
      const start = audio.currentTime + after;
      note.frequency.value = pitch;
      volume.gain.setValueAtTime(0, start);
      volume.gain.linearRampToValueAtTime(0.12, start + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.001, start + 0.35);
      note.connect(volume).connect(audio.destination);
      note.start(start);
      note.stop(start + 0.4);
    });
  } catch { /* No sound here. */ }
}

export const bell = {
  setUp() {
    draw();
    $("bell").onclick = () => (isOn() ? switchOff() : switchOn());
    $("bell-yes").onclick = switchOn;
    $("bell-no").onclick = switchOff;
  },

  // Asks, unless that has been answered before in this browser.
  ask() { if (choice() === null) $("bell-question").hidden = false; },

  // Somebody is called by a message, in this sentence.
  call(post, sentence, open) {
    if (!isOn() || post.sound === "silent") return;
    chime();
    if (document.hasFocus() || !("Notification" in window) || Notification.permission !== "granted") return;
    const notice = new Notification("Phase Parlor", { body: sentence, tag: post.picture?.match ?? post.id, icon: "/icon.svg" });
    notice.onclick = () => { window.focus(); notice.close(); open(); };
  },
};
