import { closeSync, copyFileSync, fchownSync, fstatSync, openSync, readSync, truncateSync } from 'node:fs';
import type { Account } from './account.ts';

const LARGEST_LOG = 10_000_000;
const LOOK_EVERY_MS = 1000;
/** Time and process number, for readers of the file; our log has a time of its own. */
const OWN_TIME = /^\S+ \S+ UTC \[\d+\] /;

export interface ServerLog {
  /** For the database to write into. A file, not a pipe: the database outlives us, and its last words are needed after a crash. */
  openForServer(): number;
  /** Passes on what was written since the last look. */
  catchUp(): string[];
  close(): void;
}

/** Follows the database's own log file, whether this process or an earlier one started the database. */
export function followServerLog(file: string, account: Account, log: (line: string) => void): ServerLog {
  const reader = openSync(file, 'a+', 0o600);
  if (account.uid !== undefined && account.gid !== undefined) fchownSync(reader, account.uid, account.gid);
  let seen = fstatSync(reader).size;
  let started = '';
  let closed = false;

  function catchUp(): string[] {
    // The database's exit may be told to us after its end was seen and everything was closed.
    if (closed) return [];
    const { size } = fstatSync(reader);
    if (size < seen) seen = 0;
    const fresh = Buffer.alloc(size - seen);
    seen += readSync(reader, fresh, 0, fresh.length, seen);
    const lines = (started + fresh.toString('utf8')).split('\n');
    started = lines.pop() ?? '';
    for (const line of lines) log(line.replace(OWN_TIME, ''));
    if (size > LARGEST_LOG) startAfresh();
    return lines;
  }

  function startAfresh(): void {
    try {
      copyFileSync(file, `${file}.1`);
    } catch {
      // A full disk: then the old lines are the first to go.
    }
    truncateSync(file);
    seen = 0;
  }

  const timer = setInterval(catchUp, LOOK_EVERY_MS).unref();
  return {
    openForServer: () => openSync(file, 'a', 0o600),
    catchUp,
    close: () => {
      clearInterval(timer);
      catchUp();
      closed = true;
      closeSync(reader);
    },
  };
}
