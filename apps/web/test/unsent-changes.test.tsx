import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deleteCommandStorage } from '../src/lib/commands/command-storage.ts';
import { useOfflineState } from '../src/lib/offline-state.ts';
import { ADMIN_USER, JOB, JOB_ITEM } from './fixtures.ts';
import { stubIndexedDb } from './indexed-db.ts';
import { buildActiveTimer, buildHourlyJob, buildRunningEntry, freezeClock, getServerTime } from './mock-timer.ts';
import { failWith, openPage, pressButton, waitForToasts } from './open-page.tsx';

beforeEach(() => {
  freezeClock();
  stubIndexedDb();
});
afterEach(async () => {
  vi.useRealTimers();
  cleanup();
  useOfflineState.setState(useOfflineState.getInitialState(), true);
  await deleteCommandStorage();
});

const SAVED_TOAST = "Saved on this device. It will be sent when you're back online.";

/** Opens a job with a running timer on a mock server that can't be reached at first. */
function openJobPage(path = `/jobs/${JOB.id}`) {
  const job = buildHourlyJob({ timer_status: 'started', running: [buildRunningEntry(60)] }, { items: [JOB_ITEM] });
  const server = { isReachable: false, sent: [] as string[], refusal: undefined as string | undefined };
  const answer = (call: string) => {
    if (!server.isReachable) throw new TypeError('Failed to fetch');
    server.sent.push(call);
    if (server.refusal) failWith('FORBIDDEN', server.refusal);
    return job;
  };
  const page = openPage(path, {
    'GET /me': () => ADMIN_USER,
    'GET /timer': () => ({ timer: buildActiveTimer(job), server_time: getServerTime() }),
    [`GET /jobs/${JOB.id}`]: () => job,
    'POST /timer/pause': () => answer('pause'),
    'POST /time-entries': () => answer('start'),
    'POST /job-items/line-1/quantity-changes': () => answer('quantity'),
  });
  return { ...page, server };
}

const sendAgain = ({ server, queryClient }: ReturnType<typeof openJobPage>) => {
  server.isReachable = true;
  return act(() => queryClient.refetchQueries({ queryKey: ['timer'] }));
};
const getSection = (name: RegExp) => within(screen.getByRole('region', { name }));
const listTexts = (name: RegExp) =>
  getSection(name)
    .getAllByRole('listitem')
    .map((row) => within(row).getByRole('link').textContent);

async function pauseAndStartOffline() {
  const page = openJobPage();
  await screen.findByRole('region', { name: 'Job Timer' });
  await pressButton('Pause');
  await pressButton('Start');
  await screen.findByText('Started, not sent yet');
  return page;
}

it('lists what waits, in the order in which it was made, and says in the header how much that is', async () => {
  await pauseAndStartOffline();
  await act(async () => useOfflineState.setState({ isReachable: false }));
  const chip = within(screen.getByRole('banner')).getByRole('link', { name: 'Waiting (2)' });
  await act(async () => chip.click());
  await screen.findByRole('heading', { name: 'Unsent changes' });
  expect(listTexts(/Will be sent/)).toEqual([
    `Pause timer on #${JOB.job_number} ${JOB.title}`,
    `Start timer on #${JOB.job_number} ${JOB.title}`,
  ]);
});

it('shows a refused change with its reason until it is discarded, then sends what waited for it', async () => {
  const page = await pauseAndStartOffline();
  page.server.refusal = 'You do not have permission to do this';
  await sendAgain(page);
  const chip = await within(screen.getByRole('banner')).findByRole('link', { name: 'Not accepted (1)' });
  await act(async () => chip.click());
  await screen.findByText('You do not have permission to do this');
  getSection(/Not accepted/).getByText('1 later change of yours waits for this one.');
  expect(page.server.sent).toEqual(['pause']);
  page.server.refusal = undefined;
  await act(async () =>
    getSection(/Not accepted/)
      .getByRole('button', { name: 'Discard' })
      .click(),
  );
  await screen.findByText('Everything has been sent');
  expect(page.server.sent).toEqual(['pause', 'start']);
});

it('sends a refused change again', async () => {
  const page = await pauseAndStartOffline();
  page.server.refusal = 'No';
  await sendAgain(page);
  const chip = await screen.findByRole('link', { name: 'Not accepted (1)' });
  await act(async () => chip.click());
  page.server.refusal = undefined;
  const retry = await screen.findByRole('button', { name: 'Try again' });
  await act(async () => retry.click());
  await screen.findByText('Everything has been sent');
  expect(page.server.sent).toEqual(['pause', 'pause', 'start']);
});

it('shows unsent changes after a reload, before their feature was opened', async () => {
  const page = openJobPage();
  await screen.findByRole('region', { name: 'Job Timer' });
  await pressButton('Increase quantity of Tap');
  await waitForToasts(SAVED_TOAST);
  page.server.isReachable = false;
  cleanup();
  openJobPage('/unsent');
  await waitFor(() =>
    expect(listTexts(/Waiting to be sent/)).toEqual([`Change the quantity of Tap on #${JOB.job_number} ${JOB.title}: +1`]),
  );
});

it('does not sign out while a change is unsent, because nobody could send it then', async () => {
  const page = openJobPage();
  await screen.findByRole('region', { name: 'Job Timer' });
  await pressButton('Pause');
  await screen.findByText('Paused, not sent yet');
  await pressButton('Sign Out');
  await waitForToasts(
    "One of your changes has not been sent yet. Wait until you're online, or discard unsent changes, before you sign out.",
    SAVED_TOAST,
  );
  expect(page.queryClient.getQueryData(['me'])).toBeDefined();
});
