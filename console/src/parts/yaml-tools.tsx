/** What can be done with a text beside writing it: take it from a file, put it into one, see it on the whole screen. */
import { ActionIcon, FileButton } from '@mantine/core';
import { Download, Maximize2, Minimize2, Upload } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readYaml } from '../api/read-yaml.ts';
import { download } from './download.ts';
import { textAt } from '../pages/policy/policy-text.ts';

interface Props {
  readonly value: string;
  readonly label: string;
  /** Absent for what is only read. */
  readonly onChange: ((text: string) => void) | undefined;
  readonly frame: RefObject<HTMLDivElement | null>;
}

export function YamlTools({ value, label, onChange, frame }: Props) {
  const { t } = useTranslation();
  const isFull = useFullscreen(frame);
  const take = async (file: File | null) => {
    if (file) onChange?.(await file.text());
  };
  const toggle = () => (isFull ? document.exitFullscreen() : frame.current?.requestFullscreen());
  return (
    <div className="yaml-tools">
      {onChange && (
        <FileButton accept=".yaml,.yml,.json,text/yaml,application/json" onChange={(file) => void take(file)}>
          {(props) => (
            <ActionIcon {...props} size="sm" aria-label={t('edit.import')} title={t('edit.import')}>
              <Upload size={14} aria-hidden />
            </ActionIcon>
          )}
        </FileButton>
      )}
      <ActionIcon
        size="sm"
        aria-label={t('edit.download')}
        title={t('edit.download')}
        onClick={() => download(fileName(value, label), value)}
      >
        <Download size={14} aria-hidden />
      </ActionIcon>
      <ActionIcon
        size="sm"
        aria-label={t(isFull ? 'edit.wholeScreenEnd' : 'edit.wholeScreen')}
        title={t(isFull ? 'edit.wholeScreenEnd' : 'edit.wholeScreen')}
        onClick={() => void toggle()}
      >
        {isFull ? <Minimize2 size={14} aria-hidden /> : <Maximize2 size={14} aria-hidden />}
      </ActionIcon>
    </div>
  );
}

function useFullscreen(frame: RefObject<HTMLDivElement | null>): boolean {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const look = () => setFull(frame.current !== null && document.fullscreenElement === frame.current);
    document.addEventListener('fullscreenchange', look);
    return () => document.removeEventListener('fullscreenchange', look);
  }, [frame]);
  return isFull;
}

/** As the object is called that it describes, or as the text is. */
function fileName(text: string, label: string): string {
  const name = textAt(readYaml(text), ['metadata', 'name']);
  return `${name || label.toLowerCase().replaceAll(/\s+/g, '-')}.yaml`;
}
