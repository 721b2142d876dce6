import { staffNotFound } from '@callout/contract/staff';
import { FILE_TOO_LARGE } from '@callout/domain/files/attachment';
import { isFileSizeAllowed } from '@callout/domain/files/file-size';
import type { FastifyInstance } from 'fastify';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import type { ImageKind } from '../../platform/files/small-image.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { pathId, requireTenant } from '../../platform/http/request-actor.ts';
import { limitAttempts } from '../../platform/limits/rate-limit.ts';
import { publishChange, publishToPeople } from '../../platform/live/live.ts';
import { IMAGES_OF_A_PERSON, type NewImage, receiveImage } from '../files/receive-image.ts';
import { lockStaff, replaceAvatar, staffIdOf } from './staff.sql.ts';
import { lockAndReauthorize } from './staff-mutation.ts';

const SIDE = 256;

/** Straight from a phone's camera, so it may be large; it is shown in a small circle. */
const AVATAR: ImageKind = {
  purpose: 'avatar',
  isSizeAllowed: isFileSizeAllowed,
  tooLarge: FILE_TOO_LARGE,
  file_type: 'image/webp',
  fit: (image) => image.resize(SIDE, SIDE, { fit: 'cover' }).webp({ quality: 82 }),
};

export function avatarRoute(app: FastifyInstance, platform: Platform): void {
  app.put('/api/staff/:id/avatar', async (request, reply) => {
    const tenant = await requireTenant(request, platform, 'staff.manage');
    const id = pathId(request, staffNotFound.NOT_FOUND.message);
    return reply.send({ avatar_url: await receiveImage(platform, tenant, request, avatarOf(id, lockAndReauthorize)) });
  });
  app.put('/api/me/avatar', async (request, reply) => {
    const tenant = await requireTenant(request, platform, 'work.view');
    await limitAttempts(platform.pools.system, `images-of ${tenant.companyId} ${staffIdOf(tenant)}`, IMAGES_OF_A_PERSON);
    return reply.send({ avatar_url: await receiveImage(platform, tenant, request, avatarOf(staffIdOf(tenant), lockStaff)) });
  });
}

function avatarOf(id: string, lock: (scope: TenantScope) => Promise<void>): NewImage {
  return {
    kind: AVATAR,
    owner: { kind: 'staff_member', id },
    attach: async (scope, url) => {
      await lock(scope);
      return setAvatar(scope, id, url);
    },
  };
}

/** Shows this picture for the member, or none; returns the URL of the one before. */
export async function setAvatar(scope: TenantScope, id: string, url: string | null): Promise<string | null> {
  const before = await replaceAvatar(scope, id, url);
  await publishChange(scope, 'staff');
  if (before.profile_id) await publishToPeople(scope, [before.profile_id], 'me');
  return before.avatar_url;
}
