/** The terminal itself, loaded when the first one is opened. */
import { useComputedColorScheme } from '@mantine/core';
import { FitAddon } from '@xterm/addon-fit';
import { type ITheme, Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { useEffect, useRef } from 'react';
import { heard, keysMessage, PROTOCOL, sizeMessage } from './channels.ts';

export type TerminalState = 'opening' | 'open' | 'over' | 'lost';

export interface XtermProps {
  readonly path: string;
  readonly label: string;
  readonly onState: (state: TerminalState, message: string) => void;
}

export function Xterm({ path, label, onState }: XtermProps) {
  const box = useRef<HTMLDivElement>(null);
  const made = useRef<Terminal>(undefined);
  const scheme = useComputedColorScheme('light');
  const tell = useRef(onState);
  tell.current = onState;
  useEffect(() => {
    if (!box.current) return;
    const terminal = new Terminal({
      fontFamily: 'ui-monospace, Menlo, Consolas, "Noto Sans Mono CJK SC", monospace',
      fontSize: 13,
      cursorBlink: true,
      screenReaderMode: true,
      scrollback: 5_000,
      theme: themeNow(),
    });
    made.current = terminal;
    const fit = new FitAddon();
    terminal.loadAddon(fit);
    terminal.open(box.current);
    terminal.textarea?.setAttribute('aria-label', label);
    fit.fit();
    const leave = connect(terminal, path, (state, message) => tell.current(state, message));
    const resized = new ResizeObserver(() => fit.fit());
    resized.observe(box.current);
    terminal.focus();
    return () => {
      resized.disconnect();
      leave();
      terminal.dispose();
    };
  }, [path, label]);
  useEffect(() => {
    if (made.current) made.current.options.theme = themeNow();
  }, [scheme]);
  return <div ref={box} className="terminal" style={{ height: '100%' }} />;
}

/** Keys there, output here, until either side ends it. */
function connect(terminal: Terminal, path: string, tell: (state: TerminalState, message: string) => void): () => void {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const socket = new WebSocket(`${scheme}://${location.host}${path}`, PROTOCOL);
  socket.binaryType = 'arraybuffer';
  let ended = false;
  const send = (message: Uint8Array<ArrayBuffer>) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(message);
  };
  tell('opening', '');
  socket.addEventListener('open', () => {
    send(sizeMessage(terminal.cols, terminal.rows));
    tell('open', '');
  });
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const said = data instanceof ArrayBuffer ? heard(data) : undefined;
    if (said?.kind === 'output') terminal.write(said.bytes);
    if (said?.kind !== 'end') return;
    ended = true;
    tell('over', said.ok ? '' : said.message);
  });
  socket.addEventListener('close', ({ reason }) => {
    if (!ended) tell('lost', reason);
  });
  const keys = terminal.onData((text) => send(keysMessage(text)));
  const size = terminal.onResize(({ cols, rows }) => send(sizeMessage(cols, rows)));
  return () => {
    keys.dispose();
    size.dispose();
    ended = true;
    socket.close();
  };
}

/** Colours are the console's own, in both themes. */
function themeNow(): ITheme {
  const style = getComputedStyle(document.documentElement);
  const colour = (token: string) => style.getPropertyValue(token).trim();
  return {
    background: colour('--k-panel'),
    foreground: colour('--k-text'),
    cursor: colour('--k-accent'),
    cursorAccent: colour('--k-panel'),
    selectionBackground: colour('--k-line-strong'),
    green: colour('--k-healthy'),
    red: colour('--k-blocked'),
    yellow: colour('--k-degraded'),
    blue: colour('--k-accent'),
    brightBlack: colour('--k-soft'),
  };
}
