import { isFileSizeAllowed, MAX_FILE_BYTES } from '@callout/domain/files/file-limits';
import type { FastifyInstance } from 'fastify';
import { type ImageKind, receiveImage } from '../../platform/files/images.ts';
import { uploadedFile } from '../../platform/files/upload.ts';
import { pathId } from '../../platform/http/path-id.ts';
import { requireTenant } from '../../platform/http/request-actor.ts';
import type { Platform } from '../../platform/platform.ts';
import { MEMBER_NOT_FOUND, placeAvatar } from './place-avatar.ts';

const SIDE = 256;

/** Straight from a phone's camera, so it may be large; it is shown in a small circle. */
const AVATAR: ImageKind = {
  purpose: 'avatar',
  isSizeAllowed: isFileSizeAllowed,
  tooLarge: `File is larger than ${MAX_FILE_BYTES} bytes`,
  file_type: 'image/webp',
  fit: (image) => image.resize(SIDE, SIDE, { fit: 'cover' }).webp({ quality: 82 }),
};

export function avatarRoute(app: FastifyInstance, platform: Platform): void {
  app.put('/api/staff/:id/avatar', async (request, reply) => {
    const tenant = await requireTenant(request, platform, 'staff.manage');
    const id = pathId(request, MEMBER_NOT_FOUND);
    const upload = await uploadedFile(request);
    const avatar_url = await receiveImage(platform, tenant, upload, AVATAR, (scope, url) => placeAvatar(scope, id, url));
    return reply.send({ avatar_url });
  });
}
