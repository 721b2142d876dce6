import { closeSync, constants, copyFileSync, fchownSync, fstatSync, openSync, readSync, rmSync, truncateSync } from 'node:fs';
import { type Account, ownerOf } from './account.ts';

const MAX_LOG_BYTES = 10_000_000;
const MAX_RECENT_LINES = 50;
const POLL_INTERVAL_MS = 1000;
/** Time and process number, for readers of the file; our log has a time of its own. */
const TIMESTAMP = /^\S+ \S+ UTC \[\d+\] /;

export interface ServerLog {
  /** For the database to write into. A file, not a pipe: the database outlives us, and what it wrote last is needed after a crash. */
  openForServer(): number;
  /** The last lines since the file was opened for a server. */
  readLinesSinceOpen(): readonly string[];
  close(): void;
}

/** Follows the database's own log file, whether this process or an earlier one started the database. */
export function followServerLog(file: string, account: Account, log: (line: string) => void): ServerLog {
  const open = () => openSync(file, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  const reader = open();
  const { uid, gid } = ownerOf(account);
  if (uid !== undefined && gid !== undefined) fchownSync(reader, uid, gid);
  let seen = fstatSync(reader).size;
  let started = '';
  let closed = false;
  let sinceOpen: string[] = [];

  /** Forwards lines written since the last poll. */
  function forwardNewLines(): void {
    // The database's exit may be reported to us after its end was seen and everything was closed.
    if (closed) return;
    const { size } = fstatSync(reader);
    if (size < seen) seen = 0;
    const fresh = Buffer.alloc(size - seen);
    seen += readSync(reader, fresh, 0, fresh.length, seen);
    const lines = (started + fresh.toString('utf8')).split('\n');
    started = lines.pop() ?? '';
    for (const line of lines) log(line.replace(TIMESTAMP, ''));
    sinceOpen = [...sinceOpen, ...lines].slice(-MAX_RECENT_LINES);
    if (size > MAX_LOG_BYTES) rotateLog();
  }

  function rotateLog(): void {
    try {
      rmSync(`${file}.1`, { force: true });
      copyFileSync(file, `${file}.1`, constants.COPYFILE_EXCL);
    } catch {
      // If the disk is full, discard the old lines first.
    }
    truncateSync(file);
    seen = 0;
  }

  const timer = setInterval(forwardNewLines, POLL_INTERVAL_MS).unref();
  return {
    openForServer: () => {
      forwardNewLines();
      sinceOpen = [];
      return open();
    },
    readLinesSinceOpen: () => {
      forwardNewLines();
      return sinceOpen;
    },
    close: () => {
      clearInterval(timer);
      forwardNewLines();
      closed = true;
      closeSync(reader);
    },
  };
}
