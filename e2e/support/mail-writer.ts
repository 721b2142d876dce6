import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mail } from './mail-server.ts';

/** Returns a function that writes each email to a separate file in `folder`, where the tests read it. */
export function createMailWriter(folder: string): (mail: Mail) => void {
  mkdirSync(folder, { recursive: true });
  let received = 0;
  return (mail) => {
    received += 1;
    const path = join(folder, `${String(received).padStart(6, '0')}.json`);
    // Write under another name and rename the file when it is complete, so that no test reads half an email.
    writeFileSync(`${path}.part`, JSON.stringify(mail));
    renameSync(`${path}.part`, path);
  };
}
