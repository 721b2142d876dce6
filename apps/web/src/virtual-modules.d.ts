declare module 'virtual:contract-routes' {
  import type { Contract } from '@callout/contract/contract';

  export const routes: Contract;
}
