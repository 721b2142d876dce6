import { milliseconds } from '../time/wall-time.ts';

/** Something in a calendar, for other calendar programs. Texts are as people typed them; instants are ISO text. */
export interface IcalEvent {
  /** The same in every copy of the calendar: programs tell by it which event has changed. */
  readonly uid: string;
  readonly start: string;
  readonly end: string;
  readonly summary: string;
  readonly location: string | null;
  readonly description: string;
  readonly url: string;
  readonly status: 'TENTATIVE' | 'CONFIRMED';
  /** Whether its time is taken. */
  readonly isBusy: boolean;
  readonly changedAt: string;
  /** Counts its changes, from 0. */
  readonly sequence: number;
}

/** A whole file of RFC 5545. Times are in UTC: every program shows them at the wall time of its own zone, also across clock changes. */
export function icalCalendar(name: string, events: readonly IcalEvent[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Callout//Calendar//EN',
    'CALSCALE:GREGORIAN',
    `NAME:${icalText(name)}`,
    `X-WR-CALNAME:${icalText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...events.flatMap(eventLines),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}

function eventLines(event: IcalEvent): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${icalText(event.uid)}`,
    // Of the event, not of this copy: the same events are the same text.
    `DTSTAMP:${utcTime(event.changedAt)}`,
    `LAST-MODIFIED:${utcTime(event.changedAt)}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTART:${utcTime(event.start)}`,
    `DTEND:${utcTime(event.end)}`,
    `SUMMARY:${icalText(event.summary)}`,
    ...(event.location === null ? [] : [`LOCATION:${icalText(event.location)}`]),
    ...(event.description === '' ? [] : [`DESCRIPTION:${icalText(event.description)}`]),
    `URL:${event.url}`,
    `STATUS:${event.status}`,
    `TRANSP:${event.isBusy ? 'OPAQUE' : 'TRANSPARENT'}`,
    'END:VEVENT',
  ];
}

/** '20261120T190000Z'. */
const utcTime = (instant: string) => `${new Date(milliseconds(instant)).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

const BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
const CONTROL = /[^\P{Cc}\t]/gu;

/** A value of text: a line break, which could end the event and start another, becomes two characters. */
export function icalText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll(BREAK, '\\n')
    .replaceAll(CONTROL, '');
}

const MAX_LINE_OCTETS = 75;

const BEYOND_ASCII = /[\u0080-\uffff]/;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Lines of at most 75 octets, each further one behind a space. A character is never cut in two. */
export function foldLine(line: string): string {
  // In ASCII a character is an octet.
  const octets = BEYOND_ASCII.test(line) ? encoder.encode(line) : null;
  const length = octets?.length ?? line.length;
  if (length <= MAX_LINE_OCTETS) return line;
  const parts: string[] = [];
  for (let start = 0; start < length; ) {
    let end = start + MAX_LINE_OCTETS - (start === 0 ? 0 : 1);
    while (isInsideCharacter(octets?.[end])) end -= 1;
    parts.push(octets ? decoder.decode(octets.subarray(start, end)) : line.slice(start, end));
    start = end;
  }
  return parts.join('\r\n ');
}

/** Of UTF-8: every octet of a character but its first. */
const isInsideCharacter = (octet = 0) => (octet & 0xc0) === 0x80;
