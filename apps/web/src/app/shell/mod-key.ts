const isApple = /mac|iphone|ipad/i.test(navigator.platform);

/** What the person's keyboard says on the key that goes with K. */
export const MOD_KEY = isApple ? '⌘' : 'Ctrl';
