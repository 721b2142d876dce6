import type { FileStore } from './file-store.ts';

/**
 * The store while files are being moved: everything new is written to `target`, and what isn't there yet is read from `source`. Removing
 * from `source` first leaves nothing behind: a copy that is made in between is removed from `target` right after.
 */
export function createMovingStore(target: FileStore, source: FileStore): FileStore {
  return {
    ...target,
    open: async (key) => (await target.open(key)) ?? source.open(key),
    has: async (key) => (await target.has(key)) || source.has(key),
    async requireAccess() {
      await target.requireAccess();
      await source.requireAccess();
    },
    async remove(keys) {
      await source.remove(keys);
      await target.remove(keys);
    },
    async removeCompany(companyId) {
      await source.removeCompany(companyId);
      await target.removeCompany(companyId);
    },
    async discardUploadsBefore(time) {
      await source.discardUploadsBefore(time);
      await target.discardUploadsBefore(time);
    },
    /** Lists a file that is in both stores twice. */
    async *listKeysBefore(time) {
      yield* source.listKeysBefore(time);
      yield* target.listKeysBefore(time);
    },
  };
}
