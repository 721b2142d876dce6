import { ensureBuilt } from './runtime/build.mjs';
import { ensureInstalled } from './runtime/install.mjs';
import { launch } from './runtime/project.mjs';

await launch(async () => {
  await ensureInstalled();
  await ensureBuilt();
  return 0;
});
