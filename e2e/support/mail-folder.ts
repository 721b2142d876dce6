import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mail } from './mail-server.ts';

/** Every mail becomes one file in the folder, which the tests read. */
export function keepMailsIn(folder: string): (mail: Mail) => void {
  mkdirSync(folder, { recursive: true });
  let received = 0;
  return (mail) => {
    received += 1;
    const path = join(folder, `${String(received).padStart(6, '0')}.json`);
    // Renamed when complete, so that no test reads half a mail.
    writeFileSync(`${path}.part`, JSON.stringify(mail));
    renameSync(`${path}.part`, path);
  };
}
