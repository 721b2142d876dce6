import { staffMemberNotFoundError } from '@callout/contract/staff';
import { FILE_TOO_LARGE_ERROR } from '@callout/domain/files/attachment';
import { isFileSizeAllowed } from '@callout/domain/files/file-size';
import type { FastifyInstance } from 'fastify';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import type { ImageKind } from '../../platform/files/resize-image.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { requirePathId, requireTenant } from '../../platform/http/request-session.ts';
import { enforceRateLimit } from '../../platform/limits/rate-limit.ts';
import { publishChange, publishToPeople } from '../../platform/live/live.ts';
import { type ImageUpload, PERSON_IMAGE_LIMIT, receiveImage } from '../files/receive-image.ts';
import { getMyStaffId, replaceAvatarUrl } from './staff.sql.ts';
import { reauthorize } from './staff-mutation.ts';

const AVATAR_SIDE_PX = 256;

/** Accepts large photos straight from a phone's camera, because only a small square is stored. */
const AVATAR_IMAGE: ImageKind = {
  purpose: 'avatar',
  isSizeAllowed: isFileSizeAllowed,
  tooLargeMessage: FILE_TOO_LARGE_ERROR,
  file_type: 'image/webp',
  resize: (image) => image.resize(AVATAR_SIDE_PX, AVATAR_SIDE_PX, { fit: 'cover' }).webp({ quality: 82 }),
};

export function registerAvatarRoutes(app: FastifyInstance, platform: Platform): void {
  app.put('/api/staff/:id/avatar', async (request, reply) => {
    const tenant = await requireTenant(request, platform, 'staff.manage');
    const id = requirePathId(request, staffMemberNotFoundError.NOT_FOUND.message);
    return reply.send({
      avatar_url: await receiveImage(platform, tenant, request, { ...buildAvatarUpload(id, reauthorize), locks: 'staff' }),
    });
  });
  app.put('/api/me/avatar', async (request, reply) => {
    const tenant = await requireTenant(request, platform, 'work.view');
    await enforceRateLimit(platform.pools.system, `images-of ${tenant.companyId} ${getMyStaffId(tenant)}`, PERSON_IMAGE_LIMIT);
    const upload = buildAvatarUpload(getMyStaffId(tenant));
    return reply.send({ avatar_url: await receiveImage(platform, tenant, request, upload) });
  });
}

function buildAvatarUpload(id: string, authorize?: (scope: TenantScope) => Promise<void>): ImageUpload {
  return {
    kind: AVATAR_IMAGE,
    owner: { kind: 'staff_member', id },
    attach: async (scope, url) => {
      await authorize?.(scope);
      return setAvatar(scope, id, url);
    },
  };
}

/** Sets the member's picture, or removes it if `url` is null. Returns the previous URL. */
export async function setAvatar(scope: TenantScope, id: string, url: string | null): Promise<string | null> {
  const before = await replaceAvatarUrl(scope, id, url);
  await publishChange(scope, 'staff');
  if (before.profile_id) await publishToPeople(scope, [before.profile_id], 'me');
  return before.avatar_url;
}
