import { fileURLToPath } from 'node:url';

/** The checkout this file belongs to, whatever folder the command was typed in. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** A reason to stop that needs no stack: the sentence is for the person at the terminal. */
export class CannotStart extends Error {
  /** @param {string} message @param {number} exitCode */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** What the launchers say. On stderr, so that the output of what they launch stays its own. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Runs a launcher's work and ends the process with what came of it. @param {() => Promise<number>} work */
export async function launch(work) {
  try {
    process.exitCode = await work();
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    say(error.message);
    process.exitCode = error.exitCode;
  }
}
