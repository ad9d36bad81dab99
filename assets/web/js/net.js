// Talking to the room: requests with the guest's token, and the event stream, which finds its way back by
// itself and goes on where it was.

// The room said no, and why.
export class Refused extends Error {
  // `wait` is how many milliseconds the room asks to wait before the next try. What can be typed stands in back quotes.
  constructor(status, message, wait) { super(message.replaceAll(/`([^`]*)`/g, "“$1”")); this.status = status; this.wait = wait; }
}

const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// How long an answer may take, in milliseconds. A command may have to think; a stream may take for ever.
const PATIENCE = 20_000;
const LONG_PATIENCE = 90_000;

// Ends with what was given, if anything was, and after a while.
const within = (patience, signal) => (signal ? AbortSignal.any([signal, AbortSignal.timeout(patience)]) : AbortSignal.timeout(patience));

let token = null;
let cursor = 0;

async function request(path, options = {}) {
  const headers = { ...options.headers };
  if (token) headers.Authorization = `Bearer ${token}`;
  let response;
  try {
    response = await fetch(path, { ...options, headers, cache: options.cache ?? "no-store" });
  } catch {
    throw new Error("The room can't be reached right now. I keep trying.");
  }
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  const wait = 1000 * (Number(response.headers.get("Retry-After")) || 0);
  throw new Refused(response.status, problem.error ?? `The room answered with ${response.status}.`, wait);
}

const get = async (path, options = {}) => (await request(path, { ...options, signal: within(PATIENCE, options.signal) })).json();

const post = async (path, body, patience = PATIENCE) => {
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await request(path, { ...options, signal: within(patience) });
  return response.status === 204 ? null : response.json();
};

// What nobody else calls anything. `crypto.randomUUID` is there on encrypted pages and on this machine alone.
const unique = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// A command that may have been carried out although its answer was lost is sent again under the same id.
async function surely(path, body) {
  const sent = { ...body, event: unique() };
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await post(path, sent, LONG_PATIENCE);
    } catch (error) {
      if (error instanceof Refused || attempt >= 4) throw error;
      await sleep(250 * 2 ** attempt);
    }
  }
}

export const net = {
  get,
  post,
  surely,

  // Waits until the room is there.
  async patient(path) {
    for (;;) {
      try { return await get(path); } catch (error) {
        if (error instanceof Refused) throw error;
        await sleep(1000);
      }
    }
  },

  take: (name) => post("/api/guests", { name }),

  async come(guest) {
    token = guest.token;
    try {
      return await net.patient("/api/me");
    } catch (error) {
      token = null;
      throw error;
    }
  },

  say: (room, text) => surely("/api/say", { room, text }),
  press: (message, command, room) => surely("/api/press", { message, command, room }),

  async suggest(room, line, signal) {
    const query = new URLSearchParams({ room, line });
    return (await get(`/api/suggest?${query}`, { signal })).suggestions;
  },

  // A picture that needs the token, as an address for an image.
  async picture(url) {
    const response = await request(url, { cache: "no-cache", signal: within(PATIENCE) });
    return URL.createObjectURL(await response.blob());
  },

  // The stream starts after what has been read already.
  reached(number) { if (!cursor) cursor = number; },

  // Tells what is new, for ever. A browser has six connections to one place, for all tabs together, so only a tab
  // that is looked at holds a stream; the others ask now and then.
  async listen(on) {
    const tell = (name, data) => {
      if (name === "message") cursor = Math.max(cursor, data.cursor);
      on[name]?.(data);
    };
    let pause = 250;
    for (;;) {
      const away = new AbortController();
      const leave = () => { if (document.hidden) away.abort(); };
      document.addEventListener("visibilitychange", leave);
      try {
        if (document.hidden) {
          const page = await get(`/api/messages?after=${cursor}`);
          for (const post of page.messages) tell("message", post);
          cursor = page.cursor;
          on.state("open");
          await Promise.race([sleep(5000), seen()]);
        } else {
          const response = await request(`/api/events?after=${cursor}`, { signal: away.signal });
          on.state("open");
          pause = 250;
          await read(response.body, tell);
          on.state("lost");
        }
      } catch (error) {
        // The room has forgotten us: its store is another one.
        if (error instanceof Refused && error.status === 401) { location.reload(); return; }
        if (!away.signal.aborted) {
          on.state("lost");
          await sleep(Math.max(pause, error.wait ?? 0));
          pause = Math.min(pause * 2, 4000);
        }
      }
      document.removeEventListener("visibilitychange", leave);
    }
  },
};

// When the tab is looked at again.
const seen = () => new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));

// Reads server-sent events from a body.
async function read(body, tell) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      const field = (name) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const data = field("data");
      if (data) tell(field("event"), JSON.parse(data));
    }
  }
}
