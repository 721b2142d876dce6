import { ensureBuilt } from './runtime/built.mjs';
import { ensureInstalled } from './runtime/installed.mjs';
import { launch } from './runtime/project.mjs';

await launch(async () => {
  await ensureInstalled();
  await ensureBuilt();
  return 0;
});
