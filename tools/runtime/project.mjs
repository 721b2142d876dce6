import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout this file belongs to, whatever folder the command was typed in. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** How Node reads `.env`, where there is one; what is set in the environment wins. */
export function settingsFile() {
  return existsSync(join(root, '.env')) ? ['--env-file=.env'] : [];
}

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
