import type { Quote } from '@callout/contract/quotes';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { MAIL_KEPT } from '../src/lib/kept-mail.ts';
import { announceSessionEnd } from '../src/lib/session-end.ts';
import { toast } from '../src/ui/toast.ts';
import { press, refuse, toastTexts, typeInto, valueOf, waitForFocus, waitForToasts } from './open-page.tsx';
import { ACCEPTED, choose, EMPTY, hrefOf, OUTDOOR_TAP, openQuote, QUOTE_PATH, SENT, THREE_SECTIONS } from './open-quote.ts';
import { CUSTOMER, JOB, OWNER, QUOTE } from './people.ts';

const inDialog = async (name: string) => within(await screen.findByRole(name === 'Accept Quote' ? 'alertdialog' : 'dialog', { name }));
const noDialog = () => waitFor(() => expect(document.querySelector('[data-modal]')).toBeNull());

type Dialog = Awaited<ReturnType<typeof inDialog>>;

async function pressIn(dialog: Dialog, name: string) {
  const button = await dialog.findByRole('button', { name });
  await act(async () => fireEvent.click(button));
}

describe('accepting a quote', () => {
  async function openAccept(change: Partial<Quote>, accept: (input: unknown) => unknown = () => refuse('FORBIDDEN')) {
    const page = openQuote(change, { [`POST ${QUOTE_PATH}/accept`]: accept });
    await press('Accept Quote');
    return { ...page, dialog: await inDialog('Accept Quote') };
  }

  it('asks first, creates the job and names it for six seconds', async () => {
    const shown = vi.spyOn(toast, 'success');
    const sent: unknown[] = [];
    const { dialog, server } = await openAccept(SENT, (input) => {
      sent.push(input);
      server.quote = { ...server.quote, ...ACCEPTED };
      return { quote: server.quote, job: { id: JOB.id, job_number: 'J26030042' } };
    });
    expect(dialog.getByText("This will create a new job with 'pending' status for follow-up.")).toBeDefined();
    expect(dialog.queryByRole('checkbox')).toBeNull();
    expect(dialog.getByText('$230.00')).toBeDefined();
    await pressIn(dialog, 'Accept Quote');
    await waitForToasts('Quote accepted! New job #J26030042 has been created.');
    expect(shown.mock.calls[0]?.[1]).toMatchObject({ ms: 6_000 });
    expect(sent).toEqual([{ version: QUOTE.version, selected_option_ids: [] }]);
    await noDialog();
    expect(await hrefOf('View Job')).toBe(`/jobs/${JOB.id}`);
  });

  it('lets options be chosen, with the total of the choice; nothing chosen is all', async () => {
    const sent: unknown[] = [];
    const { dialog, server } = await openAccept({ ...SENT, ...THREE_SECTIONS }, (input) => {
      sent.push(input);
      server.quote = { ...server.quote, ...ACCEPTED };
      return { quote: server.quote, job: { id: JOB.id, job_number: 'J26030042' } };
    });
    expect(dialog.getAllByRole('checkbox')).toHaveLength(2);
    expect(dialog.getByText('$552.00')).toBeDefined();
    expect(dialog.getByText(/^If you choose none, all options are accepted\. Always included: Heat pump\./)).toBeDefined();
    const tap = dialog.getByRole('checkbox', { name: /^Outdoor tap/ });
    fireEvent.click(tap);
    expect(dialog.getByText('$322.00')).toBeDefined();
    expect(dialog.queryByText(/If you choose none/)).toBeNull();
    fireEvent.click(tap);
    expect(dialog.getByText('$552.00')).toBeDefined();
    fireEvent.click(tap);
    await pressIn(dialog, 'Accept Quote');
    await noDialog();
    expect(sent).toEqual([{ version: QUOTE.version, selected_option_ids: [OUTDOOR_TAP.id] }]);
  });

  it('that fails says why, and the choice is still there', async () => {
    const { dialog } = await openAccept({ ...SENT, ...THREE_SECTIONS }, () => refuse('FORBIDDEN', 'No'));
    fireEvent.click(dialog.getByRole('checkbox', { name: /^Outdoor tap/ }));
    await pressIn(dialog, 'Accept Quote');
    await waitForToasts('Failed to accept quote: No');
    expect(dialog.getByRole<HTMLInputElement>('checkbox', { name: /^Outdoor tap/ }).checked).toBe(true);
  });

  it('of a quote that was changed meanwhile shows the new price, and accepts that on request', async () => {
    const sent: unknown[] = [];
    const { dialog, server } = await openAccept(SENT, (input) => {
      sent.push(input);
      if (sent.length === 1) {
        server.quote = { ...server.quote, ...THREE_SECTIONS, version: 2 };
        return refuse('STALE_VERSION', 'Changed', { current: server.quote });
      }
      server.quote = { ...server.quote, ...ACCEPTED };
      return { quote: server.quote, job: { id: JOB.id, job_number: 'J26030042' } };
    });
    await pressIn(dialog, 'Accept Quote');
    await waitForToasts('Someone else has changed this quote. Please check it before you accept.');
    expect(await dialog.findByText('$552.00')).toBeDefined();
    await pressIn(dialog, 'Accept Quote');
    await noDialog();
    expect(sent).toMatchObject([{ version: 1 }, { version: 2 }]);
  });

  it.each([
    ['accepted', 'J26030042', 'This quote was already accepted. Its job is #J26030042.'],
    ['rejected', null, 'This quote was rejected.'],
    ['expired', null, 'This quote has expired.'],
  ] as const)('that was %s meanwhile says so and shows it', async (status, job_number, text) => {
    const { dialog, server } = await openAccept(SENT, () => {
      server.quote = { ...server.quote, ...(status === 'accepted' ? ACCEPTED : {}), shown_status: status, is_actionable: false };
      return refuse('QUOTE_CLOSED', 'Closed', { status, job_number });
    });
    await pressIn(dialog, 'Accept Quote');
    await waitForToasts(text);
    await noDialog();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Accept Quote' })).toBeNull());
  });

  it('of a quote without items is refused', async () => {
    const { dialog } = await openAccept({ ...SENT, ...EMPTY });
    expect(dialog.getByText('There is nothing to accept: add at least one item first.')).toBeDefined();
    expect(dialog.getByRole('link', { name: 'Add items' }).getAttribute('href')).toBe(`${QUOTE_PATH}/edit`);
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Accept Quote' }).disabled).toBe(true);
  });

  it('can be left without doing anything', async () => {
    const { dialog } = await openAccept(SENT);
    await pressIn(dialog, 'Cancel');
    await noDialog();
    expect(toastTexts()).toEqual([]);
  });
});

interface Sent {
  mail_id: string;
  subject: string;
  body: string;
}

describe('sending a quote', () => {
  async function openSend(send: (input: Sent) => unknown = () => refuse('FORBIDDEN'), change: Partial<Quote> = {}, sendsMail = true) {
    const page = openQuote(change, {
      [`POST ${QUOTE_PATH}/send`]: (input) => send(input as Sent),
      'GET /me': () => ({ ...OWNER, sends_mail: sendsMail }),
    });
    await press('Send Quote');
    return { ...page, dialog: await inDialog('Send Quote') };
  }

  it('starts with a polite text to the customer, sends it and says so', async () => {
    const sent: Sent[] = [];
    const { dialog, server } = await openSend((input) => {
      sent.push(input);
      server.quote = { ...server.quote, ...SENT };
      return { quote: server.quote, mail: 'queued' };
    });
    expect(valueOf('To')).toBe('ana@example.com');
    expect(screen.getByLabelText<HTMLInputElement>('To').readOnly).toBe(true);
    await waitForFocus('Subject');
    expect(valueOf('Subject')).toBe('Quote Q001234 from Harbour Plumbing');
    for (const text of ['Hello Ana Rossi,', 'Harbour Plumbing', QUOTE.title]) expect(valueOf('Message')).toContain(text);
    await pressIn(dialog, 'Send');
    await waitForToasts('Email sent successfully');
    await noDialog();
    expect(await screen.findByText('Sent')).toBeDefined();
    expect(sent).toMatchObject([{ subject: 'Quote Q001234 from Harbour Plumbing' }]);
  });

  it('helps whoever has not confirmed their email to do so first', async () => {
    openQuote({}, { 'GET /me': () => ({ ...OWNER, must_confirm_email: true }), 'POST /me/email-confirmation': () => ({ mail: 'queued' }) });
    await press('Send Quote');
    const dialog = await inDialog('Send Quote');
    expect(dialog.getByText('Please confirm your email address before you send quotes.')).toBeDefined();
    await pressIn(dialog, 'Send confirmation email');
    await dialog.findByText('We sent a link to mia@example.com. Open it to confirm your email, then come back here.');
  });

  it('refuses a quote without items, and leads to its items', async () => {
    const { dialog } = await openSend(undefined, EMPTY);
    expect(dialog.getByText('There is nothing to send: add at least one item first.')).toBeDefined();
    expect(dialog.getByRole('link', { name: 'Add items' }).getAttribute('href')).toBe(`${QUOTE_PATH}/edit`);
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true);
  });

  it('says that the button to the quote is added', async () => {
    const { dialog } = await openSend();
    expect(dialog.getByText('We add a button to view the quote below your message.')).toBeDefined();
  });

  it('says plainly when mail is not set up', async () => {
    const { dialog, server } = await openSend(() => ({ quote: server.quote, mail: 'kept' }), {}, false);
    expect(dialog.getByText(/^Mail isn't set up on this server\./)).toBeDefined();
    await pressIn(dialog, 'Send');
    await waitForToasts(MAIL_KEPT);
  });

  it('sends one mail when it is repeated after a lost answer, and keeps what was typed', async () => {
    const sent: Sent[] = [];
    const { dialog, server } = await openSend((input) => {
      sent.push(input);
      return sent.length === 1 ? refuse('UNAVAILABLE', 'Gone away') : { quote: server.quote, mail: 'queued' };
    });
    typeInto('Subject', 'Your heat pump');
    await pressIn(dialog, 'Send');
    await waitForToasts('Failed to send email: Gone away');
    expect(valueOf('Subject')).toBe('Your heat pump');
    await pressIn(dialog, 'Send');
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toEqual(sent[0]);
    await noDialog();
  });

  it('asks before a typed mail is closed, and starts anew once it was discarded', async () => {
    const { dialog } = await openSend();
    await pressIn(dialog, 'Cancel');
    await noDialog();
    await press('Send Quote');
    typeInto('Subject', 'Your heat pump');
    await pressIn(await inDialog('Send Quote'), 'Cancel');
    await screen.findByRole('alertdialog', { name: 'Discard this email?' });
    await press('Keep editing');
    expect(valueOf('Subject')).toBe('Your heat pump');
    await pressIn(await inDialog('Send Quote'), 'Cancel');
    await screen.findByRole('alertdialog', { name: 'Discard this email?' });
    await press('Discard');
    await noDialog();
    await press('Send Quote');
    await inDialog('Send Quote');
    expect(valueOf('Subject')).toBe('Quote Q001234 from Harbour Plumbing');
  });

  async function deleteCustomer({ server, queryClient }: Awaited<ReturnType<typeof openSend>>) {
    server.quote = { ...server.quote, customer: null, customer_id: null };
    await act(() => queryClient.invalidateQueries());
    await screen.findByText('Customer email not found');
  }

  it('keeps a typed mail when the customer is deleted', async () => {
    const page = await openSend();
    typeInto('Subject', 'Your heat pump');
    await deleteCustomer(page);
    expect(valueOf('Subject')).toBe('Your heat pump');
  });

  it('follows when the customer is deleted and nothing was typed', async () => {
    const page = await openSend();
    expect(valueOf('Message')).toContain('Hello Ana Rossi,');
    await deleteCustomer(page);
    await waitFor(() => expect(valueOf('Message')).toContain('Hello,'));
  });

  it('keeps what was typed when the session ends', async () => {
    await openSend();
    typeInto('Message', 'Kia ora');
    act(() => announceSessionEnd('expired'));
    cleanup();
    await openSend();
    await waitFor(() => expect(valueOf('Message')).toBe('Kia ora'));
  });

  it('is a new mail the next time', async () => {
    const sent: Sent[] = [];
    const { dialog, server } = await openSend((input) => {
      sent.push(input);
      server.quote = { ...server.quote, ...SENT };
      return { quote: server.quote, mail: 'queued' };
    });
    typeInto('Subject', 'Your heat pump');
    await pressIn(dialog, 'Send');
    await noDialog();
    await choose('Send Again');
    const again = await inDialog('Send Quote');
    expect(valueOf('Subject')).toBe('Quote Q001234 from Harbour Plumbing');
    await pressIn(again, 'Send');
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.mail_id).not.toBe(sent[0]?.mail_id);
  });

  it('needs a subject and a message', async () => {
    const { dialog } = await openSend();
    typeInto('Subject', ' ');
    typeInto('Message', ' ');
    await pressIn(dialog, 'Send');
    expect(await dialog.findByText('Subject is required')).toBeDefined();
    expect(dialog.getByText('Message is required')).toBeDefined();
  });

  it('shows a wrong field of the server at its field', async () => {
    const { dialog } = await openSend(() => refuse('INVALID_INPUT', 'Wrong', { fields: { subject: 'Too loud' } }));
    await pressIn(dialog, 'Send');
    expect(await dialog.findByText('Too loud')).toBeDefined();
    expect(toastTexts()).toEqual([]);
  });

  it('needs an email of the customer, and leads to it', async () => {
    const { dialog } = await openSend(undefined, { customer: { ...CUSTOMER, email: '' } });
    expect(dialog.getByText('Customer email not found')).toBeDefined();
    expect(dialog.getByRole('link', { name: 'Add an email' }).getAttribute('href')).toBe(`/customers/${CUSTOMER.id}?edit=true`);
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true);
  });

  it('without a customer there is nobody to send it to', async () => {
    const { dialog } = await openSend(undefined, { customer: null, customer_id: null });
    expect(dialog.getByText('Customer email not found')).toBeDefined();
    expect(dialog.queryByRole('link')).toBeNull();
  });

  it('of a quote that was answered meanwhile says so', async () => {
    const { dialog } = await openSend(() => refuse('QUOTE_CLOSED', 'Closed', { status: 'rejected', job_number: null }));
    await pressIn(dialog, 'Send');
    await waitForToasts('This quote was rejected.');
    await noDialog();
    expect(screen.queryByLabelText('Subject')).toBeNull();
  });

  it('with other words under the same id says that the first were sent', async () => {
    const { dialog } = await openSend(() => refuse('ID_TAKEN', 'Taken'));
    await pressIn(dialog, 'Send');
    await waitForToasts('This email was already sent, without your latest changes.');
    await noDialog();
    expect(screen.queryByLabelText('Subject')).toBeNull();
  });
});
