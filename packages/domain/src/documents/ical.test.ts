import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildIcalFile, escapeIcalText, foldIcalLine, type IcalEvent } from './ical.ts';

const countOctets = (text: string) => new TextEncoder().encode(text).length;

const anyLineOf = (unit: 'binary-ascii' | 'binary' | 'grapheme') => fc.string({ unit, maxLength: 300, size: 'max' });

/** Reference implementation of RFC 5545 folding, one character at a time. */
function foldByCharacter(line: string): string {
  let [folded, length] = ['', 0];
  for (const character of line) {
    if (length + countOctets(character) > 75) [folded, length] = [`${folded}\r\n `, 1];
    folded += character;
    length += countOctets(character);
  }
  return folded;
}

const event: IcalEvent = {
  uid: 'job-1@callout',
  start: '2026-11-20T19:00:00.000Z',
  end: '2026-11-20T20:30:00.000Z',
  summary: 'Tap, sink; and more',
  location: null,
  description: 'Line 1\nLine 2',
  url: 'https://callout.example/jobs/1',
  status: 'CONFIRMED',
  isBusy: true,
  changedAt: '2026-11-01T01:02:03.456Z',
  sequence: 2,
};

describe('iCal file', () => {
  it('marks time that is free', () => {
    expect(buildIcalFile('Tane Plumbing', [{ ...event, isBusy: false }])).toContain('\r\nTRANSP:TRANSPARENT\r\n');
  });

  it('contains the events with UTC times and escaped text', () => {
    expect(buildIcalFile('Tane Plumbing', [event])).toBe(
      [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//Callout//Calendar//EN',
        'CALSCALE:GREGORIAN',
        'NAME:Tane Plumbing',
        'X-WR-CALNAME:Tane Plumbing',
        'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
        'X-PUBLISHED-TTL:PT1H',
        'BEGIN:VEVENT',
        'UID:job-1@callout',
        'DTSTAMP:20261101T010203Z',
        'LAST-MODIFIED:20261101T010203Z',
        'SEQUENCE:2',
        'DTSTART:20261120T190000Z',
        'DTEND:20261120T203000Z',
        'SUMMARY:Tap\\, sink\\; and more',
        'DESCRIPTION:Line 1\\nLine 2',
        'URL:https://callout.example/jobs/1',
        'STATUS:CONFIRMED',
        'TRANSP:OPAQUE',
        'END:VEVENT',
        'END:VCALENDAR',
        '',
      ].join('\r\n'),
    );
  });

  it.each([
    ['a\\b', 'a\\\\b'],
    ['one\r\ntwo\rthree\nfour', 'one\\ntwo\\nthree\\nfour'],
    ['one\u2028two\u0085three\vfour', 'one\\ntwo\\nthree\\nfour'],
    ['bell\u0007 tab\t', 'bell tab\t'],
    ['half \ud83d pair', 'half \ufffd pair'],
    ['\\n', '\\\\n'],
  ])('escapes %j as %j', (text, escaped) => {
    expect(escapeIcalText(text)).toBe(escaped);
  });

  it.each([
    ['ASCII', 'x'.repeat(400)],
    ['two octets', 'ā'.repeat(200)],
    ['three octets', '水'.repeat(200)],
    ['four octets', '🚿'.repeat(200)],
    ['one to four octets', 'xā水🚿'.repeat(50)],
    ['exactly one line', 'x'.repeat(75)],
    ['no characters', ''],
  ])('folds lines of %s at 75 octets without splitting a character', (_, line) => {
    const lines = foldIcalLine(line).split('\r\n');
    for (const folded of lines) {
      expect(countOctets(folded)).toBeLessThanOrEqual(75);
      expect(folded.isWellFormed()).toBe(true);
    }
    for (const folded of lines.slice(0, -1)) expect(countOctets(folded)).toBeGreaterThan(75 - 4);
    expect(lines.map((folded, index) => (index === 0 ? folded : folded.slice(1))).join('')).toBe(line);
  });

  it('folds any line after the last character that fits in 75 octets', () => {
    fc.assert(
      fc.property(fc.oneof(anyLineOf('binary-ascii'), anyLineOf('binary'), anyLineOf('grapheme')), (line) => {
        expect(foldIcalLine(line)).toBe(foldByCharacter(line));
      }),
    );
  });

  it('never encodes ASCII lines, and encodes other lines only once', () => {
    const encode = vi.spyOn(TextEncoder.prototype, 'encode');
    onTestFinished(() => encode.mockRestore());
    for (const line of ['', 'x'.repeat(75), 'x'.repeat(76), 'x'.repeat(1000)]) foldIcalLine(line);
    expect(encode).not.toHaveBeenCalled();
    foldIcalLine('ā'.repeat(100));
    expect(encode).toHaveBeenCalledTimes(1);
  });
});
