import type { StoredFile } from '../commands/stored-command.ts';
import { useStoredFileUrls } from './use-stored-file-urls.ts';

/** Links to files that are stored on this device, so that they can be saved even if the server never accepts them. */
export function StoredFileLinks({ files }: { files: readonly StoredFile[] }) {
  const urls = useStoredFileUrls(files);
  return (
    <ul aria-label="Files" className="flex flex-wrap gap-x-4 text-base">
      {files.map(({ id, name }) => (
        <li key={id} className="min-w-0 [overflow-wrap:anywhere]">
          <a href={urls.get(id)} download={name} className="text-accent-ink underline">
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}
