import type { QuoteStatus } from '@callout/domain/quotes/quote';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { NO_CONNECTION, UNEXPECTED } from '../src/lib/request.ts';
import { press, refuse } from './open-page.tsx';
import {
  acceptButton,
  acceptedQuote,
  CALL,
  CONTENT,
  cardOf,
  closedQuote,
  HOT,
  headerTotal,
  openPublicQuote,
  publicQuote,
  RAILS,
  rowsIn,
  section,
  TAP,
} from './open-public-quote.tsx';

const ACCEPT = `POST ${CALL}/accept`;
const REJECT = `POST ${CALL}/reject`;
const WARNING = 'Please select at least one optional service above before accepting';
const GUARD = 'Please select at least one option before accepting the quote';

const accepted = (job_number: string | null = '2501-003') => ({ quote: acceptedQuote([HOT, RAILS]), job_number });
const choose = async (name = 'Towel rails') => fireEvent.click(await screen.findByRole('checkbox', { name }));
const isChecked = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name }).checked;
const notice = () =>
  waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('status')).then(() => document.activeElement?.textContent);
const failure = async () => (await screen.findByRole('alert')).textContent;
const acceptAs = async (name: string) => {
  await press('Change the name');
  fireEvent.change(screen.getByLabelText('Accepting as'), { target: { value: name } });
};

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('a member of the company is led to the quote page instead of answering as the customer', async () => {
  openPublicQuote(publicQuote({}, { member_path: '/quotes/1' }));
  const link = await screen.findByRole('link', { name: 'quote page' });
  expect(link.getAttribute('href')).toBe('/quotes/1');
  expect(link.parentElement?.textContent).toBe('You are signed in to Tāne Plumbing & Gas. Accept or reject it from the quote page.');
  expect(screen.queryByRole('button', { name: /^Accept Quote|^Not Interested/ })).toBeNull();
});

describe('accepting', () => {
  it('waits for a choice where there is one', async () => {
    openPublicQuote(publicQuote());
    expect(await screen.findByRole('heading', { name: 'Ready to Get Started?' })).toBeDefined();
    expect(screen.getByText(WARNING)).toBeDefined();
    expect(acceptButton().disabled).toBe(true);
    const form = acceptButton().form;
    if (form) fireEvent.submit(form);
    expect(await failure()).toBe(GUARD);
    await choose();
    expect([screen.queryByText(WARNING), screen.queryByRole('alert')]).toEqual([null, null]);
    expect(acceptButton().disabled).toBe(false);
  });

  it('takes one click when everything is required', async () => {
    const sent = vi.fn<(input: unknown) => unknown>(() => accepted());
    openPublicQuote(publicQuote({ sections: CONTENT.sections.slice(0, 1) }), { [ACCEPT]: sent });
    await press('Accept Quote - $230.00');
    expect(await notice()).toBe('Quote accepted! New job #2501-003 has been created.');
    expect(sent).toHaveBeenCalledExactlyOnceWith({ selected_option_ids: [HOT], accepted_by: 'Helen Faleolo', content_hash: 'abc' });
  });

  it('shows that it is under way, and then only what was kept', async () => {
    const answer = Promise.withResolvers<unknown>();
    openPublicQuote(publicQuote(), { [ACCEPT]: () => answer.promise });
    await choose();
    await press('Accept Quote - $460.00');
    expect(acceptButton().textContent).toBe('Processing...');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Not Interested' }).disabled).toBe(true);
    await act(async () => answer.resolve(accepted(null)));
    expect(await notice()).toBe('Quote accepted successfully!');
    const panel = screen.getByRole('region', { name: 'Quote Accepted!' });
    expect(within(panel).getByText('Thank you for accepting our quote. Your selections are shown below.')).toBeDefined();
    expect(within(panel).getByText("We'll be in touch soon to schedule your project.")).toBeDefined();
    expect(within(panel).getByText('Final Total').parentElement?.textContent).toBe('Final Total$460.00');
    expect(within(panel).getByText(/^Accepted by Helen Faleolo on Jan [67], 2025 .* \(your time\)$/)).toBeDefined();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('has a name filled in that can be changed, and goes back to the customer when it is emptied', async () => {
    const sent = vi.fn<(input: unknown) => unknown>(() => accepted());
    openPublicQuote(publicQuote(), { [ACCEPT]: sent });
    await choose();
    expect(screen.getByText('Helen Faleolo', { selector: 'form *' })).toBeDefined();
    await acceptAs('   ');
    fireEvent.blur(screen.getByLabelText('Accepting as'));
    expect(screen.getByText('Helen Faleolo', { selector: 'form *' })).toBeDefined();
    await acceptAs(' Sione Faleolo ');
    fireEvent.keyDown(screen.getByLabelText('Accepting as'), { key: 'Enter' });
    expect(screen.getByText('Sione Faleolo')).toBeDefined();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change the name' }));
    expect(sent).not.toHaveBeenCalled();
    await press('Accept Quote - $460.00');
    await notice();
    expect(sent).toHaveBeenCalledExactlyOnceWith({ selected_option_ids: [HOT, RAILS], accepted_by: 'Sione Faleolo', content_hash: 'abc' });
  });

  it('asks for a name when the quote has no customer', async () => {
    const sent = vi.fn<(input: unknown) => unknown>(() => accepted());
    openPublicQuote(publicQuote({ customer: null }), { [ACCEPT]: sent });
    await choose();
    await press('Accept Quote - $460.00');
    expect(await failure()).toBe('Please enter your name');
    fireEvent.change(screen.getByLabelText('Accepting as'), { target: { value: 'Sione' } });
    await press('Accept Quote - $460.00');
    await notice();
    expect(sent).toHaveBeenCalledExactlyOnceWith({ selected_option_ids: [HOT, RAILS], accepted_by: 'Sione', content_hash: 'abc' });
  });

  it.each([
    ['an error of the server', () => refuse('INTERNAL'), UNEXPECTED],
    [
      'a server that is not there',
      () => refuse('UNAVAILABLE', 'The service is not available right now.'),
      'The service is not available right now.',
    ],
    ['a choice the server refuses', () => refuse('INVALID_INPUT', 'Check the fields.', { fields: { selected_option_ids: GUARD } }), GUARD],
  ])('says why it failed after %s, and keeps the choice', async (_name, fail, reason) => {
    openPublicQuote(publicQuote(), { [ACCEPT]: fail });
    await choose();
    await press('Accept Quote - $460.00');
    expect(await failure()).toBe(`Failed to accept quote: ${reason}`);
    expect(isChecked('Towel rails')).toBe(true);
    expect(acceptButton().disabled).toBe(false);
  });

  it('can be repeated with the same choice and name when the answer was lost, also after a reload', async () => {
    const inputs: unknown[] = [];
    const { reopen } = openPublicQuote(publicQuote(), {
      [ACCEPT]: (input) => {
        inputs.push(input);
        if (inputs.length < 3) throw new TypeError('Failed to fetch');
        return accepted();
      },
    });
    await choose();
    await acceptAs('Sione');
    await press('Accept Quote - $460.00');
    expect(await failure()).toBe(`Failed to accept quote: ${NO_CONNECTION}`);
    await press('Accept Quote - $460.00');
    await failure();
    reopen();
    await press('Accept Quote - $460.00');
    expect(await notice()).toBe('Quote accepted! New job #2501-003 has been created.');
    expect(inputs).toEqual(inputs.map(() => ({ selected_option_ids: [HOT, RAILS], accepted_by: 'Sione', content_hash: 'abc' })));
  });
});

describe('an accepted quote', () => {
  it('shows what was selected, and nothing can be switched', async () => {
    openPublicQuote(acceptedQuote([RAILS]));
    const rails = await cardOf('Towel rails');
    expect(within(rails).getByText('Selected')).toBeDefined();
    expect(within(await cardOf('Outdoor tap')).getByText('Not Selected')).toBeDefined();
    expect(screen.queryByRole('checkbox')).toBeNull();
    fireEvent.click(rails);
    expect(rowsIn(screen.getByRole('region', { name: 'Your Quote Summary' }))).toEqual([
      'Gas hot waterRequired | $230.00',
      'Towel railsAccepted | $230.00',
      'Outdoor tap | Not Selected',
      'Subtotal | 400.00',
      'GST 15% | 60.00',
      'ACCEPTED TOTAL: | $460.00',
    ]);
    expect(screen.getByRole('link', { name: 'Download PDF' }).getAttribute('href')).toBe(`/api${CALL}/pdf`);
  });

  it('never prices anything again: a figure that was kept shows as it was kept', async () => {
    const quote = acceptedQuote([RAILS]);
    if (quote.accepted) quote.accepted.document.summary.total = '$999.99';
    openPublicQuote(quote);
    await cardOf('Towel rails');
    expect(headerTotal()).toBe('Total inc GST$999.99');
    expect(screen.getByText('Final Total').parentElement?.textContent).toBe('Final Total$999.99');
  });

  it('says when it does not match its fingerprint', async () => {
    openPublicQuote(acceptedQuote([RAILS], false));
    expect(await failure()).toBe(
      'This copy does not match the fingerprint it was saved with. Please ask Tāne Plumbing & Gas which figures are right.',
    );
  });
});

it('a quote without items offers nothing to accept, and says why', async () => {
  openPublicQuote(publicQuote({ sections: [section(HOT, 'Gas hot water', true, []), section(TAP, 'Outdoor tap', false, [])] }));
  expect(await screen.findByText('This quote has no items yet, so it cannot be accepted.')).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Accept Quote/ })).toBeNull();
  expect(screen.queryByText('Ready to Get Started?')).toBeNull();
});

describe('declining', () => {
  it('is asked once more, and can be taken back', async () => {
    openPublicQuote(publicQuote(), { [REJECT]: () => ({ quote: closedQuote('rejected') }) });
    await press('Not Interested');
    expect(screen.getByText('Decline this quote?')).toBeDefined();
    await press('Cancel');
    expect(screen.queryByText('Decline this quote?')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Not Interested' }));
    await press('Not Interested');
    await press('Decline');
    expect(await notice()).toBe('Quote has been rejected.');
    expect([screen.getByText('Rejected'), screen.getByText('Quote Rejected')]).toHaveLength(2);
    expect(screen.queryByText('Ready to Get Started?')).toBeNull();
  });

  it('says why it failed, and can be repeated', async () => {
    const answer = Promise.withResolvers<unknown>();
    openPublicQuote(publicQuote(), { [REJECT]: () => answer.promise });
    await press('Not Interested');
    await press('Decline');
    expect(screen.getByRole('group', { name: 'Decline this quote?' }).textContent).toContain('Processing...');
    await act(async () => answer.reject(new TypeError('Failed to fetch')));
    expect(await failure()).toBe(`Failed to reject quote: ${NO_CONNECTION}`);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Decline' }).disabled).toBe(false);
  });
});

describe('an old tab', () => {
  it('of a quote with another price by now shows the new one, and accepts nothing yet', async () => {
    const dearer = publicQuote({ tax_rate: '20' }, { content_hash: 'def' });
    const answers = [publicQuote(), dearer];
    const sent = vi.fn<(input: unknown) => unknown>(() =>
      refuse('QUOTE_CHANGED', 'This quote has been changed. Please check it before you accept.'),
    );
    openPublicQuote(() => answers.shift(), { [ACCEPT]: sent });
    await choose();
    await press('Accept Quote - $460.00');
    expect(await notice()).toBe('This quote has been changed. Please check it before you accept.');
    expect(isChecked('Towel rails')).toBe(true);
    await act(async () => acceptButton().click());
    expect(sent).toHaveBeenLastCalledWith(expect.objectContaining({ content_hash: 'def' }));
  });

  it('of a quote with another tax rate shows its tax, also where the total is the same', async () => {
    const answers = [publicQuote(), publicQuote({ tax_rate: '20' }, { content_hash: 'def' })];
    openPublicQuote(() => answers.shift(), { [ACCEPT]: () => refuse('QUOTE_CHANGED', 'This quote has been changed.') });
    const card = await cardOf('Gas hot water');
    expect(rowsIn(card).slice(-3)).toEqual(['Subtotal | 200.00', 'GST 15% | 30.00', 'Total | $230.00']);
    await choose();
    await press('Accept Quote - $460.00');
    await notice();
    expect(rowsIn(card).slice(-3)).toEqual(['Subtotal | 191.67', 'GST 20% | 38.33', 'Total | $230.00']);
  });

  const closed = (status: QuoteStatus, message: string) => () => refuse('QUOTE_CLOSED', message, { status, job_number: null });

  it.each([
    [closedQuote('expired'), 'This quote was valid until Feb 28, 2025. It can no longer be accepted or rejected.', 'Quote Expired'],
    [closedQuote('rejected'), 'This quote was rejected on Jan 6, 2025. It can no longer be accepted or rejected.', 'Quote Rejected'],
    [acceptedQuote([TAP]), 'This quote was accepted on Jan 6, 2025, and job #2501-003 has been created.', 'Quote Accepted - Thank you!'],
  ])('of a closed quote shows its one state and says what happened: %#', async (now, sentence, end) => {
    const answers = [publicQuote(), now];
    openPublicQuote(() => answers.shift(), { [ACCEPT]: closed(now.status, sentence) });
    await choose();
    await press('Accept Quote - $460.00');
    expect(await notice()).toBe(sentence);
    expect(screen.getByText(end)).toBeDefined();
    expect(screen.queryByText('Ready to Get Started?')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('of a quote that was deleted says that there is none', async () => {
    openPublicQuote(publicQuote(), { [REJECT]: () => refuse('NOT_FOUND') });
    await press('Not Interested');
    await press('Decline');
    expect(await screen.findByRole('heading', { name: 'Quote Not Found' })).toBeDefined();
  });

  it('stays as it is when the quote cannot be read again, and says why', async () => {
    const answers = [() => publicQuote(), () => Promise.reject(new TypeError('Failed to fetch'))];
    openPublicQuote(() => answers.shift()?.(), { [ACCEPT]: closed('expired', 'This quote has expired.') });
    await choose();
    await press('Accept Quote - $460.00');
    expect(await failure()).toBe('Failed to accept quote: This quote has expired.');
  });

  const comeBack = async () => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    await act(async () => document.dispatchEvent(new Event('visibilitychange')));
  };

  it('reads the quote again when the customer comes back, and keeps the choice', async () => {
    const sections = CONTENT.sections.map((old) => ({
      ...old,
      items: old.items.map((item) => ({ ...item, unit_price: item.unit_price.replace('115', '230') })),
    }));
    const answers = [publicQuote(), publicQuote({ sections }, { content_hash: 'def' })];
    openPublicQuote(() => answers.shift());
    await choose();
    await comeBack();
    expect(await notice()).toBe('This quote has been updated. Please check it before you accept.');
    expect(headerTotal()).toBe('Total inc GST$690.00');
  });

  it('never shows a read from before an answer over that answer', async () => {
    const [accepting, reading] = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()];
    const reads = [publicQuote(), reading.promise];
    openPublicQuote(() => reads.shift(), { [ACCEPT]: () => accepting.promise });
    await choose();
    await press('Accept Quote - $460.00');
    await comeBack();
    await act(async () => accepting.resolve(accepted()));
    expect(await screen.findByRole('heading', { name: 'Quote Accepted!' })).toBeDefined();
    await act(async () => reading.resolve(publicQuote({ title: 'Old' })));
    expect(screen.getByRole('heading', { name: 'Quote Accepted!' })).toBeDefined();
  });

  it('shows what happened in the meantime', async () => {
    const answers = [publicQuote(), acceptedQuote([RAILS])];
    openPublicQuote(() => answers.shift());
    await choose();
    await comeBack();
    expect(await notice()).toBe('This quote has been accepted.');
  });
});
