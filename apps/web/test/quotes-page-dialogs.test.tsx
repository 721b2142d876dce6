import type { Quote } from '@callout/contract/quotes';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { announceSessionEnd } from '../src/lib/session-end.ts';
import { toast } from '../src/ui/toast.ts';
import { ADMIN_USER, CUSTOMER, JOB, QUOTE } from './fixtures.ts';
import { failWith, getToasts, getValue, pressButton, typeInto, waitForFocus, waitForToasts } from './open-page.tsx';
import {
  ACCEPTED_QUOTE,
  chooseMoreAction,
  EMPTY_QUOTE,
  findLinkHref,
  OUTDOOR_TAP_SECTION,
  openQuotePage,
  QUOTE_PATH,
  SENT_QUOTE,
  THREE_SECTION_QUOTE,
} from './open-quote.ts';

const findDialog = async (name: string) => within(await screen.findByRole(name === 'Accept Quote' ? 'alertdialog' : 'dialog', { name }));
const waitForNoDialog = () => waitFor(() => expect(document.querySelector('[data-modal]')).toBeNull());

type DialogQueries = Awaited<ReturnType<typeof findDialog>>;

async function pressInDialog(dialog: DialogQueries, name: string) {
  const button = await dialog.findByRole('button', { name });
  await act(async () => fireEvent.click(button));
}

describe('accepting a quote', () => {
  async function openAcceptDialog(change: Partial<Quote>, accept: (input: unknown) => unknown = () => failWith('FORBIDDEN')) {
    const page = openQuotePage(change, { [`POST ${QUOTE_PATH}/accept`]: accept });
    await pressButton('Accept Quote');
    return { ...page, dialog: await findDialog('Accept Quote') };
  }

  it('asks for confirmation, creates the job and shows its number for six seconds', async () => {
    const showSuccess = vi.spyOn(toast, 'success');
    const sent: unknown[] = [];
    const { dialog, server } = await openAcceptDialog(SENT_QUOTE, (input) => {
      sent.push(input);
      server.quote = { ...server.quote, ...ACCEPTED_QUOTE };
      return { quote: server.quote, job: { id: JOB.id, job_number: 'J26030042' } };
    });
    expect(dialog.getByText("This will create a new job with 'pending' status for follow-up.")).toBeDefined();
    expect(dialog.queryByRole('checkbox')).toBeNull();
    expect(dialog.getByText('$230.00')).toBeDefined();
    await pressInDialog(dialog, 'Accept Quote');
    await waitForToasts('Quote accepted! New job #J26030042 has been created.');
    expect(showSuccess.mock.calls[0]?.[1]).toMatchObject({ timeoutMs: 6_000 });
    expect(sent).toEqual([{ version: QUOTE.version, selected_option_ids: [] }]);
    await waitForNoDialog();
    expect(await findLinkHref('View Job')).toBe(`/jobs/${JOB.id}`);
  });

  it('removes the failure message once a retry succeeds', async () => {
    let fails = true;
    const { dialog, server } = await openAcceptDialog(SENT_QUOTE, () => {
      if (fails) return failWith('UNAVAILABLE', 'The database is restarting.');
      server.quote = { ...server.quote, ...ACCEPTED_QUOTE };
      return { quote: server.quote, job: { id: JOB.id, job_number: 'J26030042' } };
    });
    await pressInDialog(dialog, 'Accept Quote');
    await waitForToasts('Failed to accept quote: The database is restarting.');
    fails = false;
    await pressInDialog(dialog, 'Accept Quote');
    await waitFor(() => expect(getToasts()).toEqual(['Quote accepted! New job #J26030042 has been created.']));
  });

  it('updates the total with the chosen options and includes all if none is chosen', async () => {
    const sent: unknown[] = [];
    const { dialog, server } = await openAcceptDialog({ ...SENT_QUOTE, ...THREE_SECTION_QUOTE }, (input) => {
      sent.push(input);
      server.quote = { ...server.quote, ...ACCEPTED_QUOTE };
      return { quote: server.quote, job: { id: JOB.id, job_number: 'J26030042' } };
    });
    expect(dialog.getAllByRole('checkbox')).toHaveLength(2);
    expect(dialog.getByText('$552.00')).toBeDefined();
    expect(dialog.getByText(/^If you choose none, all options are accepted\. Always included: Heat pump\./)).toBeDefined();
    const tapCheckbox = dialog.getByRole('checkbox', { name: /^Outdoor tap/ });
    fireEvent.click(tapCheckbox);
    expect(dialog.getByText('$322.00')).toBeDefined();
    expect(dialog.queryByText(/If you choose none/)).toBeNull();
    fireEvent.click(tapCheckbox);
    expect(dialog.getByText('$552.00')).toBeDefined();
    fireEvent.click(tapCheckbox);
    await pressInDialog(dialog, 'Accept Quote');
    await waitForNoDialog();
    expect(sent).toEqual([{ version: QUOTE.version, selected_option_ids: [OUTDOOR_TAP_SECTION.id] }]);
  });

  it('shows why accepting failed and keeps the chosen options', async () => {
    const { dialog } = await openAcceptDialog({ ...SENT_QUOTE, ...THREE_SECTION_QUOTE }, () => failWith('FORBIDDEN', 'No'));
    fireEvent.click(dialog.getByRole('checkbox', { name: /^Outdoor tap/ }));
    await pressInDialog(dialog, 'Accept Quote');
    await waitForToasts('Failed to accept quote: No');
    expect(dialog.getByRole<HTMLInputElement>('checkbox', { name: /^Outdoor tap/ }).checked).toBe(true);
  });

  it('shows the new price of a quote that has changed and accepts it on the second click', async () => {
    const sent: unknown[] = [];
    const { dialog, server } = await openAcceptDialog(SENT_QUOTE, (input) => {
      sent.push(input);
      if (sent.length === 1) {
        server.quote = { ...server.quote, ...THREE_SECTION_QUOTE, version: 2 };
        return failWith('STALE_VERSION', 'Changed', { current: server.quote });
      }
      server.quote = { ...server.quote, ...ACCEPTED_QUOTE };
      return { quote: server.quote, job: { id: JOB.id, job_number: 'J26030042' } };
    });
    await pressInDialog(dialog, 'Accept Quote');
    await waitForToasts('This quote has changed. Please check it before you accept.');
    expect(await dialog.findByText('$552.00')).toBeDefined();
    await pressInDialog(dialog, 'Accept Quote');
    await waitForNoDialog();
    expect(sent).toMatchObject([{ version: 1 }, { version: 2 }]);
  });

  it.each([
    ['accepted', 'J26030042', 'This quote was already accepted. Its job is #J26030042.'],
    ['rejected', null, 'This quote was rejected.'],
    ['expired', null, 'This quote has expired.'],
  ] as const)('reports that the quote is already %s and closes the dialog', async (status, job_number, text) => {
    const { dialog, server } = await openAcceptDialog(SENT_QUOTE, () => {
      server.quote = { ...server.quote, ...(status === 'accepted' ? ACCEPTED_QUOTE : {}), shown_status: status, is_actionable: false };
      return failWith('QUOTE_CLOSED', 'Closed', { status, job_number });
    });
    await pressInDialog(dialog, 'Accept Quote');
    await waitForToasts(text);
    await waitForNoDialog();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Accept Quote' })).toBeNull());
  });

  it('is disabled for a quote without items', async () => {
    const { dialog } = await openAcceptDialog({ ...SENT_QUOTE, ...EMPTY_QUOTE });
    expect(dialog.getByText('There is nothing to accept: add at least one item first.')).toBeDefined();
    expect(dialog.getByRole('link', { name: 'Add items' }).getAttribute('href')).toBe(`${QUOTE_PATH}/edit`);
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Accept Quote' }).disabled).toBe(true);
  });

  it('changes nothing when it is canceled', async () => {
    const { dialog } = await openAcceptDialog(SENT_QUOTE);
    await pressInDialog(dialog, 'Cancel');
    await waitForNoDialog();
    expect(getToasts()).toEqual([]);
  });
});

interface SentMailInput {
  mail_id: string;
  subject: string;
  body: string;
}

describe('sending a quote', () => {
  async function openSendDialog(
    send: (input: SentMailInput) => unknown = () => failWith('FORBIDDEN'),
    change: Partial<Quote> = {},
    sendsMail = true,
  ) {
    const page = openQuotePage(change, {
      [`POST ${QUOTE_PATH}/send`]: (input) => send(input as SentMailInput),
      'GET /me': () => ({ ...ADMIN_USER, sends_mail: sendsMail }),
    });
    await pressButton('Send Quote');
    return { ...page, dialog: await findDialog('Send Quote') };
  }

  it('sends the prefilled email to the customer and confirms that it was sent', async () => {
    const sent: SentMailInput[] = [];
    const { dialog, server } = await openSendDialog((input) => {
      sent.push(input);
      server.quote = { ...server.quote, ...SENT_QUOTE };
      return { quote: server.quote, mail: 'queued' };
    });
    expect(getValue('To')).toBe('ana@example.com');
    expect(screen.getByLabelText<HTMLInputElement>('To').readOnly).toBe(true);
    await waitForFocus('Subject');
    expect(getValue('Subject')).toBe('Quote Q001234 from Harbour Plumbing');
    for (const text of ['Hi Ana Rossi,', 'Harbour Plumbing', QUOTE.title]) expect(getValue('Message')).toContain(text);
    await pressInDialog(dialog, 'Send');
    await waitForToasts('Email sent successfully');
    await waitForNoDialog();
    expect(await screen.findByText('Sent')).toBeDefined();
    expect(sent).toMatchObject([{ subject: 'Quote Q001234 from Harbour Plumbing' }]);
  });

  it('requires a confirmed email address and offers to send the confirmation link', async () => {
    openQuotePage(
      {},
      { 'GET /me': () => ({ ...ADMIN_USER, must_confirm_email: true }), 'POST /me/email-confirmation': () => ({ mail: 'queued' }) },
    );
    await pressButton('Send Quote');
    const dialog = await findDialog('Send Quote');
    expect(dialog.getByText('Please confirm your email address before you send quotes.')).toBeDefined();
    await pressInDialog(dialog, 'Send confirmation email');
    await dialog.findByText('We sent a link to mia@example.com. Open it to confirm your email, then come back here.');
  });

  it('is disabled for a quote without items and links to the editor', async () => {
    const { dialog } = await openSendDialog(undefined, EMPTY_QUOTE);
    expect(dialog.getByText('There is nothing to send: add at least one item first.')).toBeDefined();
    expect(dialog.getByRole('link', { name: 'Add items' }).getAttribute('href')).toBe(`${QUOTE_PATH}/edit`);
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true);
  });

  it('explains that a button to view the quote is added to the message', async () => {
    const { dialog } = await openSendDialog();
    expect(dialog.getByText('A button to view the quote is added below your message.')).toBeDefined();
  });

  it('offers no message to write when email is not set up on the server', async () => {
    const { dialog } = await openSendDialog(undefined, {}, false);
    expect(dialog.getByText("Email isn't set up on this server. Copy the link and send it to your customer yourself.")).toBeDefined();
    expect(dialog.queryByRole('textbox')).toBeNull();
    expect(dialog.queryByRole('button', { name: 'Send' })).toBeNull();
  });

  it('offers no link of a quote without items when email is not set up', async () => {
    const { dialog } = await openSendDialog(undefined, EMPTY_QUOTE, false);
    expect(dialog.getByText('There is nothing to send: add at least one item first.')).toBeDefined();
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Copy Link' }).disabled).toBe(true);
  });

  it('offers to copy the link when email is not set up, which marks the quote as sent and closes the dialog', async () => {
    const copied: string[] = [];
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
    const { server } = openQuotePage(
      {},
      {
        'GET /me': () => ({ ...ADMIN_USER, sends_mail: false }),
        [`PUT ${QUOTE_PATH}/status`]: () => {
          server.quote = { ...server.quote, ...SENT_QUOTE };
          return server.quote;
        },
      },
    );
    await pressButton('Send Quote');
    await pressInDialog(await findDialog('Send Quote'), 'Copy Link');
    await waitForNoDialog();
    await waitFor(() => expect(getToasts()).toContain('Quote marked as SentUndo'));
    expect(copied).toEqual([`${window.location.origin}${QUOTE.public_path}`]);
  });

  it('retries with the same email id after a lost response and keeps the entered text', async () => {
    const sent: SentMailInput[] = [];
    const { dialog, server } = await openSendDialog((input) => {
      sent.push(input);
      return sent.length === 1 ? failWith('UNAVAILABLE', 'Gone away') : { quote: server.quote, mail: 'queued' };
    });
    typeInto('Subject', 'Your heat pump');
    await pressInDialog(dialog, 'Send');
    await waitForToasts('Failed to send email: Gone away');
    expect(getValue('Subject')).toBe('Your heat pump');
    await pressInDialog(dialog, 'Send');
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toEqual(sent[0]);
    await waitForNoDialog();
  });

  it('asks before discarding an edited message and starts over from the template afterwards', async () => {
    const { dialog } = await openSendDialog();
    await pressInDialog(dialog, 'Cancel');
    await waitForNoDialog();
    await pressButton('Send Quote');
    typeInto('Subject', 'Your heat pump');
    await pressInDialog(await findDialog('Send Quote'), 'Cancel');
    await screen.findByRole('alertdialog', { name: 'Discard this email?' });
    await pressButton('Keep editing');
    expect(getValue('Subject')).toBe('Your heat pump');
    await pressInDialog(await findDialog('Send Quote'), 'Cancel');
    await screen.findByRole('alertdialog', { name: 'Discard this email?' });
    await pressButton('Discard');
    await waitForNoDialog();
    await pressButton('Send Quote');
    await findDialog('Send Quote');
    expect(getValue('Subject')).toBe('Quote Q001234 from Harbour Plumbing');
  });

  async function deleteCustomer({ server, queryClient }: Awaited<ReturnType<typeof openSendDialog>>) {
    server.quote = { ...server.quote, customer: null, customer_id: null };
    await act(() => queryClient.invalidateQueries());
    await screen.findByText('Customer email not found');
  }

  it('keeps an edited message when the customer is deleted', async () => {
    const page = await openSendDialog();
    typeInto('Subject', 'Your heat pump');
    await deleteCustomer(page);
    expect(getValue('Subject')).toBe('Your heat pump');
  });

  it('updates an unedited message when the customer is deleted', async () => {
    const page = await openSendDialog();
    expect(getValue('Message')).toContain('Hi Ana Rossi,');
    await deleteCustomer(page);
    await waitFor(() => expect(getValue('Message')).toContain('Hi,'));
  });

  it('restores the entered text after the session ends', async () => {
    await openSendDialog();
    typeInto('Message', 'Kia ora');
    act(() => announceSessionEnd('expired'));
    cleanup();
    await openSendDialog();
    await waitFor(() => expect(getValue('Message')).toBe('Kia ora'));
  });

  it('uses a new email id when the quote is sent again', async () => {
    const sent: SentMailInput[] = [];
    const { dialog, server } = await openSendDialog((input) => {
      sent.push(input);
      server.quote = { ...server.quote, ...SENT_QUOTE };
      return { quote: server.quote, mail: 'queued' };
    });
    typeInto('Subject', 'Your heat pump');
    await pressInDialog(dialog, 'Send');
    await waitForNoDialog();
    await chooseMoreAction('Send Again');
    const secondDialog = await findDialog('Send Quote');
    expect(getValue('Subject')).toBe('Quote Q001234 from Harbour Plumbing');
    await pressInDialog(secondDialog, 'Send');
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.mail_id).not.toBe(sent[0]?.mail_id);
  });

  it('requires a subject and a message', async () => {
    const { dialog } = await openSendDialog();
    typeInto('Subject', ' ');
    typeInto('Message', ' ');
    await pressInDialog(dialog, 'Send');
    expect(await dialog.findByText('Subject is required')).toBeDefined();
    expect(dialog.getByText('Message is required')).toBeDefined();
  });

  it('shows a server validation error on its field', async () => {
    const { dialog } = await openSendDialog(() => failWith('INVALID_INPUT', 'Wrong', { fields: { subject: 'Too loud' } }));
    await pressInDialog(dialog, 'Send');
    expect(await dialog.findByText('Too loud')).toBeDefined();
    expect(getToasts()).toEqual([]);
  });

  it("requires the customer's email address and links to the customer form", async () => {
    const { dialog } = await openSendDialog(undefined, { customer: { ...CUSTOMER, email: '' } });
    expect(dialog.getByText('Customer email not found')).toBeDefined();
    expect(dialog.getByRole('link', { name: 'Add an email' }).getAttribute('href')).toBe(`/customers/${CUSTOMER.id}?edit=true`);
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true);
  });

  it('reports a missing email address for a quote without a customer', async () => {
    const { dialog } = await openSendDialog(undefined, { customer: null, customer_id: null });
    expect(dialog.getByText('Customer email not found')).toBeDefined();
    expect(dialog.queryByRole('link')).toBeNull();
  });

  it('reports that the customer has already rejected the quote and closes the dialog', async () => {
    const { dialog } = await openSendDialog(() => failWith('QUOTE_CLOSED', 'Closed', { status: 'rejected', job_number: null }));
    await pressInDialog(dialog, 'Send');
    await waitForToasts('This quote was rejected.');
    await waitForNoDialog();
    expect(screen.queryByLabelText('Subject')).toBeNull();
  });

  it('explains that the email was already sent when its id is taken', async () => {
    const { dialog } = await openSendDialog(() => failWith('ID_TAKEN', 'Taken'));
    await pressInDialog(dialog, 'Send');
    await waitForToasts('This email was already sent, without your latest changes.');
    await waitForNoDialog();
    expect(screen.queryByLabelText('Subject')).toBeNull();
  });
});
