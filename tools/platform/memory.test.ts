import { describe, expect, test } from 'vitest';
import { describeMemory, memoryIn } from './memory.ts';

const metrics = `# HELP process_memory_usage_bytes Resident memory of the process
# TYPE process_memory_usage_bytes gauge
process_memory_usage_bytes 104857600
# TYPE process_memory_peak_bytes gauge
process_memory_peak_bytes 209715200
`;

describe('memoryIn', () => {
  test('returns the current and the largest memory', () => {
    expect(memoryIn('onsite', metrics)).toEqual({ now: 104_857_600, peak: 209_715_200 });
  });

  test('fails for a process that does not report its largest memory', () => {
    const [older = ''] = metrics.split('# TYPE process_memory_peak_bytes');
    expect(() => memoryIn('onsite', older)).toThrow('onsite does not report process_memory_peak');
  });
});

test('describeMemory prints one line for each process, in MiB', () => {
  const text = describeMemory([{ process: 'onsite', now: 104_857_600, peak: 209_715_200 }]);
  expect(text.split('\n').slice(1)).toEqual(['  onsite             100   200']);
});
