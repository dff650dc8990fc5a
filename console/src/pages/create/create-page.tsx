/**
 * A new workload, step by step: what it is, what it runs, where it goes, how it differs there.
 *
 * Each step writes into manifests that the last one shows in full, with what would happen. Everything is created together
 * or not at all.
 */
import { Button, Group, Stack, Stepper } from '@mantine/core';
import { useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Page, Panel } from '../../parts/page.tsx';
import { Basics, boundTo } from './basics-step.tsx';
import { Containers } from './container-form.tsx';
import { firstDraft, namespaceOf, readiness } from './draft.ts';
import { Overrides } from './override-step.tsx';
import { Placement } from './placement-step.tsx';
import { Review } from './review-step.tsx';
import { Settings } from './settings-form.tsx';
import { KINDS, podPath } from './workload-text.ts';

const STEPS = ['basics', 'container', 'placement', 'overrides', 'review'] as const;
const LAST = STEPS.length - 1;

export function CreatePage() {
  const { t } = useTranslation();
  const { instance } = useParams({ from: '/i/$instance' });
  const { kind } = useSearch({ from: '/i/$instance/workloads/new' });
  const [step, setStep] = useState(0);
  const [draft, setDraft] = useState(() =>
    firstDraft(KINDS.find((one) => one === kind) ?? 'Deployment', 'web', 'default'),
  );
  const workload = boundTo('workload', draft, setDraft);
  const props = { instance, draft, onChange: setDraft };
  return (
    <Page title={t('workload.create')} sub={t('create.sub')}>
      <Stepper active={step} onStepClick={setStep} size="xs" mb="md" allowNextStepsSelect={false}>
        {STEPS.map((one) => (
          <Stepper.Step key={one} label={t(`create.${one}`)} />
        ))}
      </Stepper>
      {step === 0 && <Basics {...props} />}
      {step === 1 && (
        <Panel title={t('create.container')}>
          <Stack gap="sm" maw={900}>
            <Containers
              of={workload}
              at={[...podPath(draft.kind), 'spec']}
              place={{ instance, namespace: namespaceOf(draft.workload) }}
            />
            <Settings of={workload} kind={draft.kind} />
          </Stack>
        </Panel>
      )}
      {step === 2 && <Placement {...props} />}
      {step === 3 && <Overrides {...props} />}
      {step === LAST && <Review {...props} />}
      <Group justify="space-between" mt="md">
        <Button variant="default" disabled={step === 0} onClick={() => setStep((now) => now - 1)}>
          {t('action.back')}
        </Button>
        {step < LAST && (
          <Button disabled={!readiness(draft)[step]} onClick={() => setStep((now) => now + 1)}>
            {t('action.next')}
          </Button>
        )}
      </Group>
    </Page>
  );
}
