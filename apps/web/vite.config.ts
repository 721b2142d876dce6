import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { byteBudget } from './vite/byte-budget.ts';
import { contractRoutes } from './vite/contract-routes.ts';
import { precompress } from './vite/precompress.ts';
import { preloadFont } from './vite/preload-font.ts';

const api = `http://localhost:${process.env['API_PORT'] ?? '3001'}`;

/** What every page needs, in one piece that browsers keep from release to release. */
const FRAMEWORK =
  /node_modules\/(?:(?:react|react-dom|scheduler|use-sync-external-store|zustand|react-hot-toast)\/|@tanstack\/(?!react-virtual|virtual-core).*\/(?!useBlocker|useInfinite|infinite|mutationObs|useMutation)[\w-]+\.js)/;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: `${import.meta.dirname}/src/app/routes`,
      generatedRouteTree: `${import.meta.dirname}/src/app/route-tree.gen.ts`,
      quoteStyle: 'single',
      semicolons: true,
      disableLogging: true,
    }),
    react(),
    tailwindcss(),
    contractRoutes(),
    preloadFont('inter-latin-wght-normal.woff2'),
    byteBudget(),
    precompress(),
  ],
  build: {
    target: 'es2023',
    manifest: true,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'framework', test: FRAMEWORK }] } } },
  },
  server: { proxy: { '/api': { target: api } } },
});
