import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openPage, refuse } from './open-page.tsx';
import { OWNER } from './people.ts';

const SENTENCE = 'Please confirm your email address before you invite people.';

it('who has not confirmed their email is told so beside the button they pressed, with a way to confirm it', async () => {
  openPage('/staff/new', {
    'GET /me': () => ({ ...OWNER, must_confirm_email: true }),
    'GET /notifications/unread': () => ({ count: 0 }),
    'POST /staff': () => refuse('EMAIL_UNCONFIRMED', SENTENCE),
    'POST /me/email-confirmation': () => ({ mail: 'queued' }),
  });
  const save = await screen.findByRole('button', { name: 'Send Invitation' });
  const form = within(save.closest('form') ?? document.body);
  const typed = { 'Full Name': 'Tama Rewi', 'Email Address': 'tama@example.com', 'Phone Number': '021 555', 'Hourly Rate': '45' };
  for (const [label, value] of Object.entries(typed)) fireEvent.change(form.getByLabelText(label), { target: { value } });
  expect(form.queryByText(SENTENCE)).toBeNull();
  await act(async () => fireEvent.click(save));
  await form.findByText(SENTENCE);
  expect(screen.getAllByText(SENTENCE)).toHaveLength(1);

  await act(async () => fireEvent.click(form.getByRole('button', { name: 'Send confirmation email' })));
  await form.findByText('We sent a link to mia@example.com. Open it to confirm your email, then come back here.');
  expect(form.getByLabelText<HTMLInputElement>('Full Name').value).toBe('Tama Rewi');
});
