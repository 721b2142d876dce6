import { expect, test } from 'vitest';
import { mailLink } from './mail.ts';

const APP = 'https://work.example.com';

test('finds the link that leads to the app', () => {
  expect(mailLink(`Confirm here:\n${APP}/join?token=a-b_c\n\nOr open https://callout.example`, APP)).toBe(`${APP}/join?token=a-b_c`);
  expect(mailLink(`Open Callout: ${APP}\n\nCallout`, APP)).toBe(APP);
});

test.each(['https://evil.example/x', `${APP}.evil.example/x`, `${APP}/x`, 'http://work.example.com/x'])(
  'is not misled by a company called "%s Plumbing"',
  (name) => {
    expect(mailLink(`Ana invited you to ${name} Plumbing.\n\nAccept: ${APP}/invitation?token=abc\n\nCallout`, APP)).toBe(
      `${APP}/invitation?token=abc`,
    );
  },
);

test('finds the link at the end when the app is used under another URL than its mails', () => {
  expect(mailLink(`Ana invited you to https://evil.example/x.\n\nAccept: ${APP}/invitation?token=abc`, 'http://127.0.0.1:3000')).toBe(
    `${APP}/invitation?token=abc`,
  );
});

test('finds none in a mail without a link', () => {
  expect(mailLink('No link in here', APP)).toBeUndefined();
});
