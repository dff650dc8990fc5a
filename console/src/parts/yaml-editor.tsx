/** A YAML editor that underlines what cannot be read, with its text to a file and from one; loaded when first shown. */
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { parseAllDocuments } from 'yaml';
import { YamlTools } from './yaml-tools.tsx';
import './yaml-editor.css';

export interface YamlEditorProps {
  readonly value: string;
  readonly label: string;
  readonly onChange?: (text: string) => void;
  /** Shows what was changed from this. */
  readonly original?: string;
  readonly height?: string;
}

export function YamlEditor({ value, label, onChange, original, height = '420px' }: YamlEditorProps) {
  const { t } = useTranslation();
  const unchanged = t('drift.unchanged', { lines: '$' });
  const frame = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const told = useRef(onChange);
  told.current = onChange;
  useEffect(() => {
    if (!place.current) return;
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: value,
        extensions: [
          basicSetup,
          yaml(),
          syntaxHighlighting(colours),
          looks(height),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          ...(told.current ? [lintGutter(), linter(unreadable)] : [EditorState.readOnly.of(true)]),
          ...(original === undefined ? [] : [changedFrom(original, unchanged)]),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) told.current?.(state.doc.toString());
          }),
        ],
      }),
    });
    editor.current = view;
    return () => view.destroy();
    // The text goes in below: a new editor for every letter would lose the cursor.
  }, [label, original, height, unchanged]);

  useEffect(() => {
    const view = editor.current;
    if (!view || view.state.doc.toString() === value) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
  }, [value]);

  return (
    <div ref={frame} className="yaml">
      <YamlTools value={value} label={label} onChange={onChange} frame={frame} />
      <div ref={place} />
    </div>
  );
}

function changedFrom(original: string, unchanged: string): Extension {
  return [
    unifiedMergeView({ original, mergeControls: false, gutter: true, collapseUnchanged: { margin: 3 } }),
    EditorState.phrases.of({ '$ unchanged lines': unchanged }),
  ];
}

function unreadable(view: EditorView): Diagnostic[] {
  const text = view.state.doc.toString();
  return parseAllDocuments(text).flatMap((document) =>
    document.errors.map(({ pos: [from, to], message }) => ({
      from: Math.min(from, text.length),
      to: Math.min(Math.max(to, from), text.length),
      severity: 'error' as const,
      message,
    })),
  );
}

function looks(height: string): Extension {
  return EditorView.theme({
    '&': { color: 'var(--k-text)', maxHeight: height },
    '.cm-scroller': { overflow: 'auto' },
    '.cm-content': { caretColor: 'var(--k-text)' },
    '.cm-cursor': { borderLeftColor: 'var(--k-text)' },
    '.cm-gutters': { background: 'var(--k-side)', color: 'var(--k-soft)', border: 'none' },
    '.cm-activeLine, .cm-activeLineGutter': { background: 'var(--k-hover)' },
    '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
      background: 'var(--k-accent-ground) !important',
    },
    '.cm-changedLine': { background: 'var(--k-healthy-ground) !important' },
    '.cm-deletedChunk': { background: 'var(--k-blocked-ground) !important' },
    '.cm-changedText, .cm-deletedText': { background: 'none !important', fontWeight: 600 },
    '.cm-panels, .cm-tooltip': { background: 'var(--k-panel)', color: 'var(--k-text)', borderColor: 'var(--k-line)' },
    // Drawn, since not every font has the arrows.
    '.cm-foldGutter span': { fontSize: 0 },
    '.cm-foldGutter span::before': {
      content: '""',
      display: 'inline-block',
      margin: '0 3px 2px',
      border: 'solid var(--k-soft)',
      borderWidth: '0 1.5px 1.5px 0',
      padding: '2px',
      transform: 'rotate(45deg)',
      verticalAlign: 'middle',
    },
    '.cm-foldGutter span[title="Unfold line"]::before': { transform: 'rotate(-45deg)' },
    '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"···"' },
    '.cm-collapsedLines': { background: 'var(--k-side)', color: 'var(--k-soft)' },
  });
}

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--k-accent)' },
  { tag: [tags.string, tags.content], color: 'var(--k-healthy)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--k-degraded)' },
  { tag: tags.comment, color: 'var(--k-soft)' },
  { tag: [tags.separator, tags.punctuation], color: 'var(--k-soft)' },
]);
