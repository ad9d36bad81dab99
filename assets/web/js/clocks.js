// Clocks of players, ticking while they run.

const pad = (number) => String(number).padStart(2, "0");

// "4:05", "3:20:07", "9 d 4 h".
export function clockText(left) {
  const seconds = Math.max(0, Math.ceil(left / 1000));
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days > 0) return hours && days < 10 ? `${days} d ${hours} h` : `${days} d`;
  if (hours > 0) return `${hours}:${pad(minutes)}:${pad(seconds % 60)}`;
  return `${minutes}:${pad(seconds % 60)}`;
}

// `left` in milliseconds. Whose clock runs is measured from now, by this machine's own time.
export function clock(left, running) {
  const element = document.createElement("span");
  element.className = "clock";
  element.dataset[running ? "until" : "left"] = running ? performance.now() + left : left;
  element.setAttribute("role", "timer");
  write(element);
  return element;
}

function write(element) {
  const { until, left } = element.dataset;
  const now = until === undefined ? Number(left) : Number(until) - performance.now();
  element.textContent = clockText(now);
  element.classList.toggle("short", now < 60_000);
}

export function keepClocks() {
  setInterval(() => { for (const element of document.querySelectorAll(".clock[data-until]")) write(element); }, 250);
}
