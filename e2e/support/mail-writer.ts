import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mail } from './mail-server.ts';

/** Returns a function that writes each email to its own file in `folder`, where the tests read it. */
export function createMailWriter(folder: string): (mail: Mail) => void {
  mkdirSync(folder, { recursive: true });
  let received = 0;
  return (mail) => {
    received += 1;
    const path = join(folder, `${String(received).padStart(6, '0')}.json`);
    // The file is renamed once it is complete, so that no test reads a partly written email.
    writeFileSync(`${path}.part`, JSON.stringify(mail));
    renameSync(`${path}.part`, path);
  };
}
