import type { Plugin } from 'vite';

/** Asks for the text font together with the page: its name is known only after the build. */
export function preloadFont(file: string): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const asset = Object.values(bundle ?? {}).find((part) => part.type === 'asset' && part.names.includes(file));
        if (!asset) throw new Error(`The font ${file} is not part of the build`);
        return [
          {
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${asset.fileName}`, crossorigin: true },
            injectTo: 'head-prepend',
          },
        ];
      },
    },
  };
}
