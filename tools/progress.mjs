/**
 * Shows progress: nothing for work under two seconds, then what is running and for how long. A terminal gets one line
 * that is rewritten, a log plain lines. All of it is written to stderr.
 */
const quietMs = 2_000;
const terminalStepMs = 1_000;
const logStepMs = 15_000;

const isTerminal = process.stderr.isTTY === true;
/** @type {Map<symbol, { label: string, startedAt: number, saidAt: number, tellsEnd: boolean }>} */
const running = new Map();
/** @type {NodeJS.Timeout | undefined} */
let timer;

/** @param {number} since epoch milliseconds */
function elapsedSeconds(since) {
  return Math.round((Date.now() - since) / 1000);
}

function clearLine() {
  if (isTerminal) process.stderr.write('\r\u001b[K');
}

/**
 * Prints a line without breaking the progress line.
 * @param {string} line
 */
export function say(line) {
  clearLine();
  process.stderr.write(`${line}\n`);
}

function drawOnTerminal() {
  const slow = [...running.values()].filter((job) => Date.now() - job.startedAt >= quietMs);
  if (slow.length === 0) return;
  const line = slow.map((job) => `${job.label} … ${elapsedSeconds(job.startedAt)} s`).join(' · ');
  clearLine();
  process.stderr.write(line.slice(0, (process.stderr.columns ?? 80) - 1));
}

function writeToLog() {
  for (const job of running.values()) {
    const isDue = job.saidAt === 0 ? Date.now() - job.startedAt >= quietMs : Date.now() - job.saidAt >= logStepMs;
    if (!isDue) continue;
    job.saidAt = Date.now();
    say(`${job.label} … ${elapsedSeconds(job.startedAt)} s`);
  }
}

/** @param {symbol} key */
function finish(key) {
  const job = running.get(key);
  running.delete(key);
  if (running.size === 0) clearInterval(timer);
  clearLine();
  if (job?.tellsEnd && Date.now() - job.startedAt >= quietMs) say(`${job.label}: ${elapsedSeconds(job.startedAt)} s`);
}

/**
 * Runs the work and shows progress if it is slow.
 * @template T
 * @param {string} label description of the work, such as `Installing packages`
 * @param {() => Promise<T>} work
 * @param {{ tellsEnd: boolean }} [options] whether to print a line with the duration when slow work ends
 * @returns {Promise<T>}
 */
export async function withProgress(label, work, { tellsEnd } = { tellsEnd: true }) {
  const key = Symbol(label);
  if (running.size === 0) timer = setInterval(isTerminal ? drawOnTerminal : writeToLog, terminalStepMs);
  running.set(key, { label, startedAt: Date.now(), saidAt: 0, tellsEnd });
  try {
    return await work();
  } finally {
    finish(key);
  }
}
