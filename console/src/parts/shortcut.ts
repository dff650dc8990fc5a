/** What the key that opens the palette is called on the reader's keyboard. */
export const PALETTE_KEY = /mac|iphone|ipad/i.test(navigator.platform) ? '⌘K' : 'Ctrl K';
