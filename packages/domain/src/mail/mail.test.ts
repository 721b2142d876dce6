import { expect, test } from 'vitest';
import { mailLink } from './mail.ts';

const APP = 'https://work.example.com';

test('the link of a mail is the one that leads to us', () => {
  expect(mailLink(`Confirm here:\n${APP}/join?token=a-b_c\n\nOr open https://callout.example`, APP)).toBe(`${APP}/join?token=a-b_c`);
  expect(mailLink(`Open Callout: ${APP}\n\nCallout`, APP)).toBe(APP);
});

test.each(['https://evil.example/x', `${APP}.evil.example/x`, `${APP}/x`, 'http://work.example.com/x'])(
  'a company called "%s Plumbing" does not lead elsewhere',
  (name) => {
    expect(mailLink(`Ana invited you to ${name} Plumbing.\n\nAccept: ${APP}/invitation?token=abc\n\nCallout`, APP)).toBe(
      `${APP}/invitation?token=abc`,
    );
  },
);

test('reached under another address than the one in its mails, the app finds the link at their end', () => {
  expect(mailLink(`Ana invited you to https://evil.example/x.\n\nAccept: ${APP}/invitation?token=abc`, 'http://127.0.0.1:3000')).toBe(
    `${APP}/invitation?token=abc`,
  );
});

test('a mail without a link has none', () => {
  expect(mailLink('No link in here', APP)).toBeUndefined();
});
