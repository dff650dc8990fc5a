/** Mantine, dressed: dense, small radii, one accent. Colours are in `tokens.css`. */
import { createTheme, type MantineColorsTuple } from '@mantine/core';

const accent: MantineColorsTuple = [
  '#eef2ff',
  '#dbe4ff',
  '#bac8ff',
  '#9bb0ff',
  '#7b93f5',
  '#5c77ea',
  '#4661da',
  '#3350c8',
  '#2a43ab',
  '#1f338a',
];

/** What Mantine paints fields, fieldsets and whatever is disabled with in the dark: of the same blue as the ground. */
const dark: MantineColorsTuple = [
  '#e6e9ee',
  '#c3cad5',
  '#9fa8b6',
  '#6f7988',
  '#3a424e',
  '#2b323c',
  '#1b2028',
  '#15191f',
  '#12151a',
  '#0f1216',
];

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 7 },
  autoContrast: true,
  colors: { accent, dark },
  fontFamily:
    '"Inter Variable", Inter, system-ui, -apple-system, "Segoe UI", "Noto Sans CJK SC", "PingFang SC", sans-serif',
  fontFamilyMonospace: 'var(--k-mono)',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '20px', xl: '28px' },
  defaultRadius: 'sm',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '1.35' },
      h2: { fontSize: '15px', lineHeight: '1.4' },
      h3: { fontSize: '13px', lineHeight: '1.4' },
    },
  },
  components: {
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    TextInput: { defaultProps: { size: 'xs' } },
    PasswordInput: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { size: 'xs', comboboxProps: { shadow: 'md' } } },
    MultiSelect: { defaultProps: { size: 'xs', comboboxProps: { shadow: 'md' } } },
    TagsInput: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    Switch: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    Tooltip: { defaultProps: { openDelay: 250, multiline: true, maw: 360, withArrow: true } },
    Modal: { defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.45 } } },
  },
});
