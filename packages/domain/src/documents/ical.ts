import { toEpochMs } from '../time/wall-time.ts';

/** An event exported to other calendar apps. Text is unescaped; instants are ISO strings. */
export interface IcalEvent {
  /** Stays the same across exports, so that calendar apps can match an event with its update. */
  readonly uid: string;
  readonly start: string;
  readonly end: string;
  readonly summary: string;
  readonly location: string | null;
  readonly description: string;
  readonly url: string;
  readonly status: 'TENTATIVE' | 'CONFIRMED';
  /** True if calendar apps should show the time as busy. */
  readonly isBusy: boolean;
  readonly changedAt: string;
  /** Number of times the event has changed; 0 for a new event. */
  readonly sequence: number;
}

/** Builds an RFC 5545 file. Times are in UTC, so that every app shows them correctly in its own zone, even across clock changes. */
export function buildIcalFile(name: string, events: readonly IcalEvent[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Callout//Calendar//EN',
    'CALSCALE:GREGORIAN',
    `NAME:${escapeIcalText(name)}`,
    `X-WR-CALNAME:${escapeIcalText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...events.flatMap(buildEventLines),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldIcalLine(line)}\r\n`).join('');
}

function buildEventLines(event: IcalEvent): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${escapeIcalText(event.uid)}`,
    // Use the time of the last change, not of the export, so that unchanged events produce identical text.
    `DTSTAMP:${formatUtcTime(event.changedAt)}`,
    `LAST-MODIFIED:${formatUtcTime(event.changedAt)}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTART:${formatUtcTime(event.start)}`,
    `DTEND:${formatUtcTime(event.end)}`,
    `SUMMARY:${escapeIcalText(event.summary)}`,
    ...(event.location === null ? [] : [`LOCATION:${escapeIcalText(event.location)}`]),
    ...(event.description === '' ? [] : [`DESCRIPTION:${escapeIcalText(event.description)}`]),
    `URL:${event.url}`,
    `STATUS:${event.status}`,
    `TRANSP:${event.isBusy ? 'OPAQUE' : 'TRANSPARENT'}`,
    'END:VEVENT',
  ];
}

/** Formats an instant as '20261120T190000Z'. */
const formatUtcTime = (instant: string) => `${new Date(toEpochMs(instant)).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
const CONTROL_CHARACTER = /[^\P{Cc}\t]/gu;

/** Escapes a text value, because a raw line break could end the event and inject another one. */
export function escapeIcalText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll(LINE_BREAK, '\\n')
    .replaceAll(CONTROL_CHARACTER, '');
}

const MAX_LINE_OCTETS = 75;

const NON_ASCII = /[\u0080-\uffff]/;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Folds a line at 75 octets without splitting a character. Continuation lines start with a space. */
export function foldIcalLine(line: string): string {
  // ASCII lines need no encoding: each character is one octet.
  const octets = NON_ASCII.test(line) ? encoder.encode(line) : null;
  const length = octets?.length ?? line.length;
  if (length <= MAX_LINE_OCTETS) return line;
  const parts: string[] = [];
  for (let start = 0; start < length; ) {
    let end = start + MAX_LINE_OCTETS - (start === 0 ? 0 : 1);
    while (isContinuationOctet(octets?.[end])) end -= 1;
    parts.push(octets ? decoder.decode(octets.subarray(start, end)) : line.slice(start, end));
    start = end;
  }
  return parts.join('\r\n ');
}

/** Returns true for every octet of a UTF-8 character except the first. */
const isContinuationOctet = (octet = 0) => (octet & 0xc0) === 0x80;
