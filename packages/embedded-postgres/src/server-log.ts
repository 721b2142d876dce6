import { closeSync, constants, copyFileSync, fchownSync, fstatSync, openSync, readSync, rmSync, truncateSync } from 'node:fs';
import { getDataOwner, type SystemAccount } from './system-account.ts';

const MAX_LOG_BYTES = 10_000_000;
const MAX_RECENT_LINES = 50;
const POLL_INTERVAL_MS = 1000;
/** Matches a line's timestamp and pid, which our own log doesn't need. */
const LINE_PREFIX_PATTERN = /^\S+ \S+ UTC \[\d+\] /;

export interface ServerLog {
  /** Opens the log for the database to write to. A pipe would break when this process exits, and lose the last lines before a crash. */
  openForServer(): number;
  /** Returns the most recent lines logged since the file was last opened for a server. */
  readLinesSinceOpen(): readonly string[];
  close(): void;
}

/** Follows the database's own log file, whether this process or an earlier one started the database. */
export function followServerLog(file: string, account: SystemAccount, log: (line: string) => void): ServerLog {
  const openLogFile = () => openSync(file, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  const reader = openLogFile();
  const { uid, gid } = getDataOwner(account);
  if (uid !== undefined && gid !== undefined) fchownSync(reader, uid, gid);
  let readOffset = fstatSync(reader).size;
  let partialLine = '';
  let isClosed = false;
  let linesSinceOpen: string[] = [];

  function forwardNewLines(): void {
    // The database's exit event may arrive after the log has been closed, so do nothing.
    if (isClosed) return;
    const { size } = fstatSync(reader);
    if (size < readOffset) readOffset = 0;
    const buffer = Buffer.alloc(size - readOffset);
    readOffset += readSync(reader, buffer, 0, buffer.length, readOffset);
    const lines = (partialLine + buffer.toString('utf8')).split('\n');
    partialLine = lines.pop() ?? '';
    for (const line of lines) log(line.replace(LINE_PREFIX_PATTERN, ''));
    linesSinceOpen = [...linesSinceOpen, ...lines].slice(-MAX_RECENT_LINES);
    if (size > MAX_LOG_BYTES) rotateLog();
  }

  function rotateLog(): void {
    try {
      rmSync(`${file}.1`, { force: true });
      copyFileSync(file, `${file}.1`, constants.COPYFILE_EXCL);
    } catch {
      // The disk may be full, so discard the old lines without keeping a copy.
    }
    truncateSync(file);
    readOffset = 0;
  }

  const timer = setInterval(forwardNewLines, POLL_INTERVAL_MS).unref();
  return {
    openForServer: () => {
      forwardNewLines();
      linesSinceOpen = [];
      return openLogFile();
    },
    readLinesSinceOpen: () => {
      forwardNewLines();
      return linesSinceOpen;
    },
    close: () => {
      clearInterval(timer);
      forwardNewLines();
      isClosed = true;
      closeSync(reader);
    },
  };
}
