import type { QuoteStatus } from '@callout/domain/quotes/quote';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { NO_CONNECTION_MESSAGE, UNEXPECTED_ERROR_MESSAGE } from '../src/lib/request.ts';
import { failWith, pressButton } from './open-page.tsx';
import {
  buildAcceptedQuote,
  buildClosedQuote,
  buildPublicQuote,
  buildSection,
  findSectionCard,
  getAcceptButton,
  getHeaderTotal,
  getTableRows,
  HOT_WATER_ID,
  OUTDOOR_TAP_ID,
  openPublicQuote,
  PUBLIC_QUOTE_PATH,
  QUOTE_CONTENT,
  TOWEL_RAILS_ID,
} from './open-public-quote.tsx';

const ACCEPT_CALL = `POST ${PUBLIC_QUOTE_PATH}/accept`;
const REJECT_CALL = `POST ${PUBLIC_QUOTE_PATH}/reject`;
const OPTION_WARNING = 'Please select at least one optional service above before accepting';
const OPTION_REQUIRED_MESSAGE = 'Please select at least one option before accepting the quote';

const buildAcceptOutput = (job_number: string | null = '2501-003') => ({
  quote: buildAcceptedQuote([HOT_WATER_ID, TOWEL_RAILS_ID]),
  job_number,
});
const selectOption = async (name = 'Towel rails') => fireEvent.click(await screen.findByRole('checkbox', { name }));
const isChecked = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name }).checked;
const waitForNotice = () =>
  waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('status')).then(() => document.activeElement?.textContent);
const findError = async () => (await screen.findByRole('alert')).textContent;
const enterName = async (name: string) => {
  await pressButton('Change the name');
  fireEvent.change(screen.getByLabelText('Accepting as'), { target: { value: name } });
};

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('links a signed-in company member to the quote page instead of letting them answer as the customer', async () => {
  openPublicQuote(buildPublicQuote({}, { member_path: '/quotes/1' }));
  const link = await screen.findByRole('link', { name: 'quote page' });
  expect(link.getAttribute('href')).toBe('/quotes/1');
  expect(link.parentElement?.textContent).toBe("You're signed in to Tāne Plumbing & Gas. Accept or reject this quote on the quote page.");
  expect(screen.queryByRole('button', { name: /^Accept Quote|^Not Interested/ })).toBeNull();
});

describe('accepting a quote', () => {
  it('requires at least one option when there are several', async () => {
    openPublicQuote(buildPublicQuote());
    expect(await screen.findByRole('heading', { name: 'Ready to Get Started?' })).toBeDefined();
    expect(screen.getByText(OPTION_WARNING)).toBeDefined();
    expect(getAcceptButton().disabled).toBe(true);
    const form = getAcceptButton().form;
    if (form) fireEvent.submit(form);
    expect(await findError()).toBe(OPTION_REQUIRED_MESSAGE);
    await selectOption();
    expect([screen.queryByText(OPTION_WARNING), screen.queryByRole('alert')]).toEqual([null, null]);
    expect(getAcceptButton().disabled).toBe(false);
  });

  it('takes one click when every section is required', async () => {
    const sent = vi.fn<(input: unknown) => unknown>(() => buildAcceptOutput());
    openPublicQuote(buildPublicQuote({ sections: QUOTE_CONTENT.sections.slice(0, 1) }), { [ACCEPT_CALL]: sent });
    await pressButton('Accept Quote - $230.00');
    expect(await waitForNotice()).toBe('Quote accepted! New job #2501-003 has been created.');
    expect(sent).toHaveBeenCalledExactlyOnceWith({
      selected_option_ids: [HOT_WATER_ID],
      accepted_by: 'Helen Faleolo',
      content_hash: 'abc',
    });
  });

  it('shows progress and then the accepted copy', async () => {
    const response = Promise.withResolvers<unknown>();
    openPublicQuote(buildPublicQuote(), { [ACCEPT_CALL]: () => response.promise });
    await selectOption();
    await pressButton('Accept Quote - $460.00');
    expect(getAcceptButton().textContent).toBe('Processing...');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Not Interested' }).disabled).toBe(true);
    await act(async () => response.resolve(buildAcceptOutput(null)));
    expect(await waitForNotice()).toBe('Quote accepted successfully!');
    const panel = screen.getByRole('region', { name: 'Quote Accepted!' });
    expect(within(panel).getByText('Thank you for accepting our quote. Your selections are shown below.')).toBeDefined();
    expect(within(panel).getByText("We'll be in touch soon to schedule your project.")).toBeDefined();
    expect(within(panel).getByText('Final Total').parentElement?.textContent).toBe('Final Total$460.00');
    expect(within(panel).getByText('Accepted by Helen Faleolo on Jan 7, 2025 12:28 AM (Auckland time)')).toBeDefined();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it("prefills the customer's name, which can be edited, and restores it when the field is cleared", async () => {
    const sent = vi.fn<(input: unknown) => unknown>(() => buildAcceptOutput());
    openPublicQuote(buildPublicQuote(), { [ACCEPT_CALL]: sent });
    await selectOption();
    expect(screen.getByText('Helen Faleolo', { selector: 'form *' })).toBeDefined();
    await enterName('   ');
    fireEvent.blur(screen.getByLabelText('Accepting as'));
    expect(screen.getByText('Helen Faleolo', { selector: 'form *' })).toBeDefined();
    await enterName(' Sione Faleolo ');
    fireEvent.keyDown(screen.getByLabelText('Accepting as'), { key: 'Enter' });
    expect(screen.getByText('Sione Faleolo')).toBeDefined();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change the name' }));
    expect(sent).not.toHaveBeenCalled();
    await pressButton('Accept Quote - $460.00');
    await waitForNotice();
    expect(sent).toHaveBeenCalledExactlyOnceWith({
      selected_option_ids: [HOT_WATER_ID, TOWEL_RAILS_ID],
      accepted_by: 'Sione Faleolo',
      content_hash: 'abc',
    });
  });

  it('requires a name when the quote has no customer', async () => {
    const sent = vi.fn<(input: unknown) => unknown>(() => buildAcceptOutput());
    openPublicQuote(buildPublicQuote({ customer: null }), { [ACCEPT_CALL]: sent });
    await selectOption();
    await pressButton('Accept Quote - $460.00');
    expect(await findError()).toBe('Please enter your name');
    fireEvent.change(screen.getByLabelText('Accepting as'), { target: { value: 'Sione' } });
    await pressButton('Accept Quote - $460.00');
    await waitForNotice();
    expect(sent).toHaveBeenCalledExactlyOnceWith({
      selected_option_ids: [HOT_WATER_ID, TOWEL_RAILS_ID],
      accepted_by: 'Sione',
      content_hash: 'abc',
    });
  });

  it.each([
    [
      'a server error',
      () => failWith('INTERNAL', '', { reference: '4f1c2a9b8d3e' }),
      `${UNEXPECTED_ERROR_MESSAGE} Reference: 4f1c2a9b8d3e`,
    ],
    [
      'an unavailable server',
      () => failWith('UNAVAILABLE', 'The service is not available right now.'),
      'The service is not available right now.',
    ],
    [
      'a selection that the server rejects',
      () => failWith('INVALID_INPUT', 'Check the fields.', { fields: { selected_option_ids: OPTION_REQUIRED_MESSAGE } }),
      OPTION_REQUIRED_MESSAGE,
    ],
  ])('shows why accepting failed after %s and keeps the selection', async (_name, fail, reason) => {
    openPublicQuote(buildPublicQuote(), { [ACCEPT_CALL]: fail });
    await selectOption();
    await pressButton('Accept Quote - $460.00');
    expect(await findError()).toBe(`Failed to accept quote: ${reason}`);
    expect(isChecked('Towel rails')).toBe(true);
    expect(getAcceptButton().disabled).toBe(false);
  });

  it('repeats a lost request with the same selection and name, even after a reload', async () => {
    const inputs: unknown[] = [];
    const { reopen } = openPublicQuote(buildPublicQuote(), {
      [ACCEPT_CALL]: (input) => {
        inputs.push(input);
        if (inputs.length < 3) throw new TypeError('Failed to fetch');
        return buildAcceptOutput();
      },
    });
    await selectOption();
    await enterName('Sione');
    await pressButton('Accept Quote - $460.00');
    expect(await findError()).toBe(`Failed to accept quote: ${NO_CONNECTION_MESSAGE}`);
    await pressButton('Accept Quote - $460.00');
    await findError();
    reopen();
    await pressButton('Accept Quote - $460.00');
    expect(await waitForNotice()).toBe('Quote accepted! New job #2501-003 has been created.');
    expect(inputs).toEqual(
      inputs.map(() => ({ selected_option_ids: [HOT_WATER_ID, TOWEL_RAILS_ID], accepted_by: 'Sione', content_hash: 'abc' })),
    );
  });
});

describe('accepted quote', () => {
  it('shows the accepted options as read-only', async () => {
    openPublicQuote(buildAcceptedQuote([TOWEL_RAILS_ID]));
    const rails = await findSectionCard('Towel rails');
    expect(within(rails).getByText('Selected')).toBeDefined();
    expect(within(await findSectionCard('Outdoor tap')).getByText('Not Selected')).toBeDefined();
    expect(screen.queryByRole('checkbox')).toBeNull();
    fireEvent.click(rails);
    expect(getTableRows(screen.getByRole('region', { name: 'Your Quote Summary' }))).toEqual([
      'Gas hot waterRequired | $230.00',
      'Towel railsAccepted | $230.00',
      'Outdoor tap | Not Selected',
      'Subtotal | 400.00',
      'GST 15% | 60.00',
      'ACCEPTED TOTAL: | $460.00',
    ]);
    expect(screen.getByRole('link', { name: 'Download PDF' }).getAttribute('href')).toBe(`/api${PUBLIC_QUOTE_PATH}/pdf`);
  });

  it('shows the stored amounts without recalculating them', async () => {
    const quote = buildAcceptedQuote([TOWEL_RAILS_ID]);
    if (quote.accepted) quote.accepted.document.summary.total = '$999.99';
    openPublicQuote(quote);
    await findSectionCard('Towel rails');
    expect(getHeaderTotal()).toBe('Total inc GST$999.99');
    expect(screen.getByText('Final Total').parentElement?.textContent).toBe('Final Total$999.99');
  });

  it('warns when the copy does not match its fingerprint', async () => {
    openPublicQuote(buildAcceptedQuote([TOWEL_RAILS_ID], false));
    expect(await findError()).toBe(
      'This copy may have been altered since it was saved. Please ask Tāne Plumbing & Gas which figures are right.',
    );
  });
});

it('explains why a quote without items cannot be accepted', async () => {
  openPublicQuote(
    buildPublicQuote({
      sections: [buildSection(HOT_WATER_ID, 'Gas hot water', true, []), buildSection(OUTDOOR_TAP_ID, 'Outdoor tap', false, [])],
    }),
  );
  expect(await screen.findByText("This quote has no items yet, so it can't be accepted.")).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Accept Quote/ })).toBeNull();
  expect(screen.queryByText('Ready to Get Started?')).toBeNull();
});

describe('declining a quote', () => {
  it('asks for confirmation and can be canceled', async () => {
    openPublicQuote(buildPublicQuote(), { [REJECT_CALL]: () => ({ quote: buildClosedQuote('rejected') }) });
    await pressButton('Not Interested');
    expect(screen.getByText('Decline this quote?')).toBeDefined();
    await pressButton('Cancel');
    expect(screen.queryByText('Decline this quote?')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Not Interested' }));
    await pressButton('Not Interested');
    await pressButton('Decline');
    expect(await waitForNotice()).toBe('Quote has been rejected.');
    expect([screen.getByText('Rejected'), screen.getByText('Quote Rejected')]).toHaveLength(2);
    expect(screen.queryByText('Ready to Get Started?')).toBeNull();
  });

  it('shows why declining failed and can be retried', async () => {
    const response = Promise.withResolvers<unknown>();
    openPublicQuote(buildPublicQuote(), { [REJECT_CALL]: () => response.promise });
    await pressButton('Not Interested');
    await pressButton('Decline');
    expect(screen.getByRole('group', { name: 'Decline this quote?' }).textContent).toContain('Processing...');
    await act(async () => response.reject(new TypeError('Failed to fetch')));
    expect(await findError()).toBe(`Failed to reject quote: ${NO_CONNECTION_MESSAGE}`);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Decline' }).disabled).toBe(false);
  });
});

describe('outdated quote tab', () => {
  it('shows the new price instead of accepting when the quote has changed', async () => {
    const dearer = buildPublicQuote({ tax_rate: '20' }, { content_hash: 'def' });
    const responses = [buildPublicQuote(), dearer];
    const sent = vi.fn<(input: unknown) => unknown>(() =>
      failWith('QUOTE_CHANGED', 'This quote has been changed. Please check it before you accept.'),
    );
    openPublicQuote(() => responses.shift(), { [ACCEPT_CALL]: sent });
    await selectOption();
    await pressButton('Accept Quote - $460.00');
    expect(await waitForNotice()).toBe('This quote has been changed. Please check it before you accept.');
    expect(isChecked('Towel rails')).toBe(true);
    await act(async () => getAcceptButton().click());
    expect(sent).toHaveBeenLastCalledWith(expect.objectContaining({ content_hash: 'def' }));
  });

  it('shows the new tax rate even if the total is the same', async () => {
    const responses = [buildPublicQuote(), buildPublicQuote({ tax_rate: '25' }, { content_hash: 'def' })];
    openPublicQuote(() => responses.shift(), { [ACCEPT_CALL]: () => failWith('QUOTE_CHANGED', 'This quote has been changed.') });
    const card = await findSectionCard('Gas hot water');
    expect(getTableRows(card).slice(-3)).toEqual(['Subtotal | 200.00', 'GST 15% | 30.00', 'Total | $230.00']);
    await selectOption();
    await pressButton('Accept Quote - $460.00');
    await waitForNotice();
    expect(getTableRows(card).slice(-3)).toEqual(['Subtotal | 184.00', 'GST 25% | 46.00', 'Total | $230.00']);
  });

  const failAsClosed = (status: QuoteStatus, message: string) => () => failWith('QUOTE_CLOSED', message, { status, job_number: null });

  it.each([
    [buildClosedQuote('expired'), 'This quote was valid until Feb 28, 2025. It can no longer be accepted or rejected.', 'Quote Expired'],
    [buildClosedQuote('rejected'), 'This quote was rejected on Jan 6, 2025. It can no longer be accepted or rejected.', 'Quote Rejected'],
    [
      buildAcceptedQuote([OUTDOOR_TAP_ID]),
      'This quote was accepted on Jan 6, 2025, and job #2501-003 has been created.',
      'Quote Accepted - Thank you!',
    ],
  ])('shows the final state of a closed quote and what happened: %#', async (now, sentence, end) => {
    const responses = [buildPublicQuote(), now];
    openPublicQuote(() => responses.shift(), { [ACCEPT_CALL]: failAsClosed(now.status, sentence) });
    await selectOption();
    await pressButton('Accept Quote - $460.00');
    expect(await waitForNotice()).toBe(sentence);
    expect(screen.getByText(end)).toBeDefined();
    expect(screen.queryByText('Ready to Get Started?')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows a not-found page when the quote was deleted', async () => {
    openPublicQuote(buildPublicQuote(), { [REJECT_CALL]: () => failWith('NOT_FOUND') });
    await pressButton('Not Interested');
    await pressButton('Decline');
    expect(await screen.findByRole('heading', { name: 'Quote Not Found' })).toBeDefined();
  });

  it('stays unchanged and shows why when the quote cannot be reloaded', async () => {
    const responses = [() => buildPublicQuote(), () => Promise.reject(new TypeError('Failed to fetch'))];
    openPublicQuote(() => responses.shift()?.(), { [ACCEPT_CALL]: failAsClosed('expired', 'This quote has expired.') });
    await selectOption();
    await pressButton('Accept Quote - $460.00');
    expect(await findError()).toBe('Failed to accept quote: This quote has expired.');
  });

  const returnToTab = async () => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    await act(async () => document.dispatchEvent(new Event('visibilitychange')));
  };

  it('reloads the quote when the tab becomes visible and keeps the selection', async () => {
    const sections = QUOTE_CONTENT.sections.map((old) => ({
      ...old,
      items: old.items.map((item) => ({ ...item, unit_price: item.unit_price.replace('115', '230') })),
    }));
    const responses = [buildPublicQuote(), buildPublicQuote({ sections }, { content_hash: 'def' })];
    openPublicQuote(() => responses.shift());
    await selectOption();
    await returnToTab();
    expect(await waitForNotice()).toBe('This quote has been updated. Please check it before you accept.');
    expect(getHeaderTotal()).toBe('Total inc GST$690.00');
  });

  it('ignores a stale read that arrives after the quote was accepted', async () => {
    const [accepting, reading] = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()];
    const reads = [buildPublicQuote(), reading.promise];
    openPublicQuote(() => reads.shift(), { [ACCEPT_CALL]: () => accepting.promise });
    await selectOption();
    await pressButton('Accept Quote - $460.00');
    await returnToTab();
    await act(async () => accepting.resolve(buildAcceptOutput()));
    expect(await screen.findByRole('heading', { name: 'Quote Accepted!' })).toBeDefined();
    await act(async () => reading.resolve(buildPublicQuote({ title: 'Old' })));
    expect(screen.getByRole('heading', { name: 'Quote Accepted!' })).toBeDefined();
  });

  it('announces that the quote was accepted elsewhere', async () => {
    const responses = [buildPublicQuote(), buildAcceptedQuote([TOWEL_RAILS_ID])];
    openPublicQuote(() => responses.shift());
    await selectOption();
    await returnToTab();
    expect(await waitForNotice()).toBe('This quote has been accepted.');
  });
});
