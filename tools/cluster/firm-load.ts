import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ContractInputs, ContractOutputs } from '@callout/contract/contract';
import type { LoadRecord, WriteKind } from './load-record.ts';
import { type PageAnswer, type PageRequest, sendAsPage, VisibleFailure } from './page-requests.ts';

const FIRM_COUNT = 3;
const DEVICES_PER_FIRM = 3;
/** On average, a device does something every 0.6 seconds: 15 requests a second for nine devices. */
const THINKING_TIME_MS = { min: 300, max: 900 };
/** How long a person waits after a failure before pressing the button again. */
const TRY_AGAIN_DELAY_MS = 2_000;
const FILE_SIZE_BYTES = 20_000;
/** How often a file is added rather than read. All firms share an address, which may send 200 files in ten minutes. */
const FILE_SHARE = 0.15;
const MAX_JOBS_IN_USE = 20;

export interface Load {
  /** Stops after everyone has finished what they were doing. */
  stop(): Promise<void>;
  /** Reads a file back as a person of the firm that stored it. */
  readFile(id: string): Promise<Buffer | undefined>;
}

interface Firm {
  readonly cookies: readonly string[];
  readonly staffId: string;
  readonly customerIds: string[];
  readonly jobIds: string[];
  readonly fileIds: Set<string>;
}

/** Signs up three firms and keeps their people working on three devices each, until stopped. */
export async function startLoad(url: string, record: LoadRecord): Promise<Load> {
  const firms: Firm[] = [];
  for (let number = 1; number <= FIRM_COUNT; number += 1) firms.push(await signUpFirm(url, number, record));
  const stopping = new AbortController();
  const working = firms.flatMap((firm) =>
    firm.cookies.map((cookie, device) => work({ url, firm, cookie, device, record, signal: stopping.signal })),
  );
  return {
    async stop() {
      stopping.abort();
      await Promise.all(working);
    },
    async readFile(id) {
      const firm = firms.find(({ fileIds }) => fileIds.has(id));
      const response = await fetch(`${url}/api/files/${id}`, { headers: { cookie: firm?.cookies[0] ?? '' } });
      return response.ok ? Buffer.from(await response.arrayBuffer()) : undefined;
    },
  };
}

async function signUpFirm(url: string, number: number, record: LoadRecord): Promise<Firm> {
  const post = (path: string, body: object, cookie = '') => sendAsPage(url, cookie, { method: 'POST', path, body }, record);
  const credentials: ContractInputs['auth']['signIn'] = { email: `office${number}@example.com`, password: 'measured twice' };
  await post('/auth/sign-up', credentials);
  const cookies: string[] = [];
  for (let device = 0; device < DEVICES_PER_FIRM; device += 1) cookies.push((await post('/auth/sign-in', credentials)).cookie);
  const profile: ContractInputs['company']['completeOnboarding'] = {
    company_name: `Firm ${number}`,
    phone: '09 555 0100',
    gst_number: '123-456-789',
    gst_percentage: '15',
    paypal_email: credentials.email,
    currency: 'NZD',
  };
  const onboarded = await post('/company/onboarding', profile, cookies[0]);
  const { user } = onboarded.body as ContractOutputs['company']['completeOnboarding'];
  if (!user.staff_id) throw new Error('The new company has no owner');
  return { cookies, staffId: user.staff_id, customerIds: [], jobIds: [], fileIds: new Set() };
}

interface Device {
  readonly url: string;
  readonly firm: Firm;
  readonly cookie: string;
  /** The number of the device. Only the first one uses the person's timer. */
  readonly device: number;
  readonly record: LoadRecord;
  readonly signal: AbortSignal;
}

async function work(device: Device): Promise<void> {
  const { signal, device: number } = device;
  const steps =
    number === 0
      ? [addCustomer, addJob, useTimer, readBoard, addComment, readJob]
      : [addCustomer, readCustomers, addJob, addFile, readJob, addComment];
  for (let turn = number; !signal.aborted; turn += 1) {
    await steps[turn % steps.length]?.(device);
    await pause(THINKING_TIME_MS.min + Math.random() * (THINKING_TIME_MS.max - THINKING_TIME_MS.min));
  }
}

async function addCustomer(device: Device): Promise<void> {
  const id = randomUUID();
  const fields = { name: `Customer ${id}`, email: `${id}@example.com`, phone: '021 555 0100', address: '1 Quay Street' };
  const body: ContractInputs['customers']['create'] = { id, type: 'individual', ...fields };
  if (await write(device, 'customers', id, { method: 'POST', path: '/customers', body })) device.firm.customerIds.push(id);
}

async function addJob(device: Device): Promise<void> {
  const { customerIds, jobIds, staffId } = device.firm;
  const customer_id = customerIds.at(-1);
  if (!customer_id) return;
  const id = randomUUID();
  const details = {
    title: `Job ${id}`,
    description: 'It drips.',
    category_ids: [],
    booking_date: '2030-11-20T19:00:00.000Z',
    duration: '1',
  };
  const body: ContractInputs['jobs']['create'] = { id, customer_id, staff_id: staffId, ...details };
  if (await write(device, 'jobs', id, { method: 'POST', path: '/jobs', body })) jobIds.push(id);
  if (jobIds.length > MAX_JOBS_IN_USE) jobIds.shift();
}

async function addComment(device: Device, fileIds: string[] = []): Promise<void> {
  const job_id = chooseJob(device);
  if (!job_id) return;
  const id = randomUUID();
  const body: ContractInputs['comments']['add'] = { id, job_id, content: `Comment ${id}`, file_ids: fileIds };
  await write(device, 'comments', id, { method: 'POST', path: '/comments', body });
}

async function addFile(device: Device): Promise<void> {
  if (Math.random() > FILE_SHARE) return readFile(device);
  const id = randomUUID();
  const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(FILE_SIZE_BYTES)]);
  const body = new FormData();
  body.append('file', new Blob([bytes], { type: 'application/pdf' }), 'report.pdf');
  if (!(await write(device, 'files', id, { method: 'PUT', path: `/files/${id}`, body }))) return;
  device.record.fileHashes.set(id, createHash('sha256').update(bytes).digest('hex'));
  device.firm.fileIds.add(id);
  await addComment(device, [id]);
}

async function useTimer(device: Device): Promise<void> {
  const job_id = chooseJob(device);
  if (!job_id) return;
  const id = randomUUID();
  const start: ContractInputs['timer']['start'] = { id, job_id };
  if (!(await write(device, 'time entries', id, { method: 'POST', path: '/time-entries', body: start }))) return;
  const end: ContractInputs['timer']['pause'] = { job_id, entry_id: id };
  await write(device, 'pauses', id, { method: 'POST', path: '/timer/pause', body: end });
}

const readCustomers = (device: Device) => read(device, '/customers');
const readBoard = (device: Device) => read(device, '/board');
async function readJob(device: Device): Promise<void> {
  const id = chooseJob(device);
  if (id) await read(device, `/jobs/${id}`);
}

async function readFile(device: Device): Promise<void> {
  const id = [...device.firm.fileIds].at(-1);
  if (id) await read(device, `/files/${id}`);
}

const chooseJob = ({ firm: { jobIds } }: Device) => jobIds[Math.floor(Math.random() * jobIds.length)];

/** Sends a command until it is acknowledged. After a failure that the person sees, they press the button again, with the same id. */
async function write(device: Device, kind: WriteKind, id: string, request: PageRequest): Promise<boolean> {
  const { record, signal } = device;
  do {
    const answer = await send(device, request);
    if (answer) {
      record.acknowledge(kind, id);
      return true;
    }
    await pause(TRY_AGAIN_DELAY_MS);
  } while (!signal.aborted);
  return false;
}

async function read(device: Device, path: string): Promise<void> {
  await send(device, { method: 'GET', path });
}

/** Returns undefined after a failure that the person sees. */
async function send({ url, cookie, record }: Device, request: PageRequest): Promise<PageAnswer | undefined> {
  const startedAt = performance.now();
  try {
    return await sendAsPage(url, cookie, request, record);
  } catch (error) {
    if (!(error instanceof VisibleFailure)) throw error;
    record.countFailure(error.message);
    return undefined;
  } finally {
    record.countAnswer(startedAt);
  }
}
