/** The frames of SPDY/3.1 that its peers here exchange. */
export type Headers = Readonly<Record<string, string>>;

export type SpdyFrame =
  | {
      readonly type: 'syn-stream';
      readonly stream: number;
      readonly headers: Headers;
      readonly fin: boolean;
      readonly unidirectional: boolean;
    }
  | {
      readonly type: 'syn-reply' | 'headers';
      readonly stream: number;
      readonly headers: Headers;
      readonly fin: boolean;
    }
  /** A piece of a data frame, as much as has arrived; `fin` comes with the last one. */
  | { readonly type: 'data'; readonly stream: number; readonly bytes: Buffer; readonly fin: boolean }
  | { readonly type: 'rst-stream'; readonly stream: number; readonly status: number }
  | { readonly type: 'settings'; readonly values: ReadonlyMap<number, number> }
  | { readonly type: 'ping'; readonly id: number }
  | { readonly type: 'go-away'; readonly lastStream: number; readonly status: number }
  /** Stream 0 is the connection as a whole. */
  | { readonly type: 'window-update'; readonly stream: number; readonly delta: number };

export const VERSION = 3;

/** Control frame types by number. */
export const TYPES = {
  'syn-stream': 1,
  'syn-reply': 2,
  'rst-stream': 3,
  settings: 4,
  ping: 6,
  'go-away': 7,
  headers: 8,
  'window-update': 9,
} as const;

export const FLAG_FIN = 0x01;
export const FLAG_UNIDIRECTIONAL = 0x02;

export const RST = { protocolError: 1, invalidStream: 2, refused: 3, cancel: 5, flowControl: 7 } as const;
export const GO_AWAY = { ok: 0, protocolError: 1 } as const;
export const SETTING_INITIAL_WINDOW = 7;

/** What each side may send before the other has said that it read some. */
export const INITIAL_WINDOW = 65_536;
export const MAX_WINDOW = 0x7fff_ffff;
