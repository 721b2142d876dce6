import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of this checkout, whatever the current folder is. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Returns flags that make Node read `.env` if the file exists. Variables that are already set take precedence. */
export function getEnvFileFlags() {
  return existsSync(join(root, '.env')) ? ['--env-file=.env'] : [];
}

/** An expected error, such as a failed download, which is printed without a stack trace. */
export class StartError extends Error {
  /** @param {string} message @param {number} exitCode */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Prints to stderr, because stdout belongs to the program that is started. */
export function print(line) {
  process.stderr.write(`${line}\n`);
}

/** Runs a launcher and exits with the code it returns. @param {() => Promise<number>} work */
export async function launch(work) {
  try {
    process.exitCode = await work();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    print(error.message);
    process.exitCode = error.exitCode;
  }
}
