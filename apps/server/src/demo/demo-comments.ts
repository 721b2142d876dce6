import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { isActiveStatus } from '@callout/domain/jobs/job';
import sharp from 'sharp';
import { addComment } from '../features/comments/add-comment.ts';
import { updateComment } from '../features/comments/change-comment.ts';
import type { UploadServices } from '../features/files/handle-upload.ts';
import { storeFile } from '../features/files/receive-file.ts';
import type { Person } from '../platform/db/actor.ts';
import { runTenantTransaction, type Tenant } from '../platform/db/tenant-scope.ts';
import type { DemoJob } from './demo-jobs.ts';
import { addHours } from './demo-plan.ts';

type PhotoScene = keyof typeof PHOTO_SCENES;

interface DemoComment {
  /** True if the office wrote the comment, false if the job's worker did. */
  readonly isOffice?: boolean;
  /** Hours after the start of the booking; negative if the comment was written before the start. */
  readonly hours: number;
  readonly text: string;
  readonly photos?: readonly PhotoScene[];
  /** The text before the author corrected it. */
  readonly firstText?: string;
}

const COMMENTS_BY_JOB_TITLE: Readonly<Record<string, readonly DemoComment[]>> = {
  'Replace leaking hot water cylinder': [
    { isOffice: true, hours: -20, text: 'Owner has approved a replacement up to $2,400.' },
    { hours: 0.3, text: 'Base has rusted through. Ceiling below is dry.', photos: ['rustedCylinder', 'label', 'pipes'] },
    { hours: 2, text: 'New cylinder in, filling now.', photos: ['newCylinder'] },
  ],
  'Blocked kitchen drain': [
    { hours: 0.5, text: 'Tree roots 4 m in. Cleared for now, but it’ll need jetting in spring.', photos: ['drain'] },
    { isOffice: true, hours: 3, text: '@worker Let the customer know. They’d like a quote for the jetting.' },
  ],
  'Bathroom rough-in': [
    {
      hours: 5,
      firstText: 'First fix done. Pressure test held at 100 kPa.',
      text: 'First fix done. Pressure test held at 1,000 kPa.',
      photos: ['pipes', 'label'],
    },
  ],
  'Leak under the vanity': [{ hours: 0.7, text: 'Trap was cross-threaded. Replaced it and still dry after 20 minutes.' }],
  'Radiator not heating up': [
    { isOffice: true, hours: -3, text: 'Key is in the lockbox by the garage.' },
    { hours: 1, text: 'Freed the valve pin, but it would only stick again. Fitted a new valve.', photos: ['radiator'] },
  ],
  'Gas leak test': [{ hours: 0.8, text: 'No pressure drop over 10 minutes. The hob had been left half on.' }],
};

/** Instructions from the office, written when it books the job. */
const OFFICE_NOTES_BY_JOB_TITLE: Readonly<Record<string, string>> = {
  'Grease trap cleaning': 'Needs doing before 9 am. Kitchen door will be open.',
  'Quote visit': 'Please take photos of all four walls.',
  'Blocked drain, urgent': 'Tenant is home all day.',
  'Final inspection': 'Council inspector arrives at half past. Bring the certificates.',
  'Backflow test, units 1–6': 'Keys are at their office.',
  'Annual cylinder check': 'Caretaker will let you into the boiler room.',
};

/** Replaced with a mention of the job's worker. */
const WORKER_MENTION = '@worker';

const MAX_COMMENTED_JOBS = 40;

/** Adds comments and photos to the latest jobs. Comments that would be in the future are skipped. */
export async function addDemoComments(platform: UploadServices, tenant: Tenant, jobs: readonly DemoJob[], office: Person): Promise<void> {
  const photos = new Map<PhotoScene, Buffer>();
  const getPhoto = async (scene: PhotoScene) => {
    const photo = photos.get(scene) ?? (await drawPhoto(scene));
    photos.set(scene, photo);
    return photo;
  };
  for (const { id: job_id, title, status, createdAt: now } of jobs) {
    const content = isActiveStatus(status) ? OFFICE_NOTES_BY_JOB_TITLE[title] : undefined;
    if (content === undefined) continue;
    await runTenantTransaction(platform.pools.app, { ...tenant, actor: office, now }, (scope) =>
      addComment(scope, { id: randomUUID(), job_id, content, file_ids: [] }),
    );
  }
  const commented = jobs
    .filter(({ status, isInProgress }) => isInProgress || (!isActiveStatus(status) && status !== 'canceled'))
    .filter(({ startsAt }) => startsAt <= tenant.now)
    .toSorted((a, b) => a.startsAt.localeCompare(b.startsAt))
    .slice(-MAX_COMMENTED_JOBS);
  for (const job of commented) {
    for (const { isOffice = false, hours, text, firstText = text, photos: scenes = [] } of COMMENTS_BY_JOB_TITLE[job.title] ?? []) {
      const now = addHours(job.startsAt, hours);
      if (now > tenant.now) continue;
      const author = { ...tenant, actor: isOffice ? office : job.worker.person, now };
      const file_ids: string[] = [];
      for (const [index, scene] of scenes.entries()) {
        const file = {
          id: randomUUID(),
          file_name: `IMG_${job.createdAt.slice(5, 10).replace('-', '')}_${index + 1}.jpg`,
          file_type: 'image/jpeg',
        };
        const received = await platform.files.receive(Readable.from([await getPhoto(scene)]));
        try {
          await storeFile(platform, author, file, received);
        } finally {
          await received.discard();
        }
        file_ids.push(file.id);
      }
      const insertMention = (content: string) => content.replace(WORKER_MENTION, `@[${job.worker.staffId}]`);
      await runTenantTransaction(platform.pools.app, author, async (scope) => {
        const { id } = await addComment(scope, { id: randomUUID(), job_id: job.id, content: insertMention(firstText), file_ids });
        if (firstText !== text) await updateComment(scope, { id, version: 1, content: insertMention(text) });
      });
    }
  }
}

/** SVG drawings used as job photos. */
const PHOTO_SCENES = {
  rustedCylinder: `<rect width="1200" height="900" fill="#b9ab94"/><rect y="640" width="1200" height="260" fill="#7b6a58"/>
    <rect x="380" y="60" width="440" height="660" rx="60" fill="#d8d4ca"/><rect x="380" y="60" width="90" height="660" rx="45" fill="#bdb8ab"/>
    <path d="M520 700q40-90 90-20q60 60 110-30" stroke="#8a4b22" stroke-width="22" fill="none"/>
    <ellipse cx="600" cy="770" rx="330" ry="60" fill="#3f6f86" opacity=".75"/><ellipse cx="580" cy="765" rx="190" ry="28" fill="#9cc3d1" opacity=".8"/>`,
  newCylinder: `<rect width="1200" height="900" fill="#a7a89e"/><rect y="720" width="1200" height="180" fill="#6a5b4d"/>
    <rect x="360" y="50" width="430" height="720" rx="70" fill="#f2f4f4"/><rect x="360" y="50" width="80" height="720" rx="40" fill="#dadedd"/>
    <rect x="520" y="330" width="170" height="110" rx="10" fill="#2d6fa3"/><path d="M790 230h190v-160" stroke="#b06a35" stroke-width="34" fill="none"/>`,
  label: `<rect width="1200" height="900" fill="#c9c6bd"/><rect x="260" y="120" width="680" height="660" rx="16" fill="#f7f3e9"/>
    <rect x="260" y="120" width="680" height="130" fill="#a02c23"/><g fill="#4d4a43"><rect x="330" y="320" width="430" height="28"/>
    <rect x="330" y="390" width="520" height="28"/><rect x="330" y="460" width="360" height="28"/><rect x="330" y="530" width="480" height="28"/>
    <rect x="330" y="600" width="280" height="28"/></g>`,
  pipes: `<rect width="1200" height="900" fill="#84837c"/><g stroke="#b5692f" stroke-width="46" fill="none"><path d="M0 330h620v570"/><path d="M0 560h420v340"/></g>
    <path d="M0 318h620" stroke="#d08b52" stroke-width="8"/><rect x="560" y="270" width="120" height="120" rx="14" fill="#c8a32a"/>
    <rect x="820" y="440" width="170" height="230" rx="16" fill="#c7ccce"/><rect x="780" y="410" width="260" height="36" rx="18" fill="#b3352b"/>`,
  drain: `<rect width="1200" height="900" fill="#2b2c2a"/><circle cx="600" cy="450" r="400" fill="#6d5c47"/><circle cx="600" cy="450" r="300" fill="#463b2f"/>
    <circle cx="600" cy="450" r="170" fill="#171512"/><g stroke="#a58a5f" stroke-width="10" fill="none"><path d="M330 300q170 60 230 220"/>
    <path d="M390 250q120 120 130 300"/><path d="M850 320q-150 40-220 240"/><path d="M480 200q60 150 90 330"/></g>`,
  radiator: `<rect width="1200" height="900" fill="#d9d5cc"/><rect y="760" width="1200" height="140" fill="#927b61"/><g fill="#f6f6f3" stroke="#c5c5bf" stroke-width="6">
    ${Array.from({ length: 9 }, (_, index) => `<rect x="${150 + index * 90}" y="230" width="72" height="480" rx="30"/>`).join('')}</g>
    <rect x="980" y="600" width="110" height="90" rx="20" fill="#eeeeea" stroke="#9a9a94" stroke-width="6"/><path d="M1035 690v210" stroke="#b06a35" stroke-width="26"/>`,
};

function drawPhoto(scene: PhotoScene): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900" viewBox="0 0 1200 900">${PHOTO_SCENES[scene]}</svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 80 }).toBuffer();
}
