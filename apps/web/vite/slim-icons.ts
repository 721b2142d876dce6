import type { Plugin } from 'vite';

const UNUSED = /,\s*key:\s*"[^"]*"|,\s*aliases:\s*\[[^\]]*\]|^__iconData\.node;$/gm;
const ICON = /lucide-react\/dist\/esm\/icons\//;

/** Icons carry random React keys for development and their former names; a build needs neither. */
export function slimIcons(): Plugin {
  return {
    name: 'slim-icons',
    apply: 'build',
    transform: {
      filter: { id: ICON },
      handler: (code) => ({ code: code.replaceAll(UNUSED, ''), map: null }),
    },
  };
}
