import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of this checkout, independent of the current folder. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Makes Node read `.env` if it exists; variables that are already set take precedence. */
export function settingsFile() {
  return existsSync(join(root, '.env')) ? ['--env-file=.env'] : [];
}

/** An error for the user at the terminal: printed without a stack trace. */
export class StartError extends Error {
  /** @param {string} message @param {number} exitCode */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Prints to stderr: stdout belongs to the started program. */
export function print(line) {
  process.stderr.write(`${line}\n`);
}

/** Runs a launcher and sets the exit code of the process to its result. @param {() => Promise<number>} work */
export async function launch(work) {
  try {
    process.exitCode = await work();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    print(error.message);
    process.exitCode = error.exitCode;
  }
}
