import { expect, it, test } from 'vitest';
import { findMailLink, MAIL_STATUSES } from './mail.ts';

const APP = 'https://work.example.com';

test('finds the link to the app', () => {
  expect(findMailLink(`Confirm here:\n${APP}/join?token=a-b_c\n\nOr open https://callout.example`, APP)).toBe(`${APP}/join?token=a-b_c`);
  expect(findMailLink(`Open Callout: ${APP}\n\nCallout`, APP)).toBe(APP);
});

test.each(['https://evil.example/x', `${APP}.evil.example/x`, `${APP}/x`, 'http://work.example.com/x'])(
  'ignores the URL in the company name "%s Plumbing"',
  (name) => {
    expect(findMailLink(`Ana invited you to ${name} Plumbing.\n\nAccept: ${APP}/invitation?token=abc\n\nCallout`, APP)).toBe(
      `${APP}/invitation?token=abc`,
    );
  },
);

test('falls back to the last link if the email links to a different app URL', () => {
  expect(findMailLink(`Ana invited you to https://evil.example/x.\n\nAccept: ${APP}/invitation?token=abc`, 'http://127.0.0.1:3000')).toBe(
    `${APP}/invitation?token=abc`,
  );
});

test('returns undefined for an email without a link', () => {
  expect(findMailLink('No link in here', APP)).toBeUndefined();
});

it('keeps the values that the database and saved requests contain', () => {
  expect(MAIL_STATUSES).toEqual(['waiting', 'sent', 'failed', 'kept']);
});
