import { describe, expect, test } from 'vitest';
import { parseArguments } from '../arguments.ts';

const parse = (line: string) => parseArguments(line.split(' ').filter(Boolean));

describe('the command line of load tests', () => {
  test.each([
    ['', { action: 'help' }],
    ['check', { action: 'check' }],
    [
      'on-sale --rate 7 --hesitation 0',
      { action: 'here', name: 'on-sale', overrides: { rate: 7, hesitation: 0 } },
    ],
    [
      'on-sale --data data.json',
      { action: 'there', name: 'on-sale', data: 'data.json', target: undefined },
    ],
    [
      'browse --data data.json --target https://api.example.com --payments http://127.0.0.1:9',
      {
        action: 'there',
        data: 'data.json',
        target: 'https://api.example.com',
        payments: 'http://127.0.0.1:9',
      },
    ],
  ])('understands "%s"', (line, expected) => {
    expect(parse(line)).toMatchObject(expected);
  });

  test.each([
    ['rush', 'unknown scenario rush; available: smoke, browse'],
    ['smoke browse', 'too many arguments'],
    ['smoke --speed 3', "Unknown option '--speed'"],
    ['smoke --rate fast', '--rate must be a positive number'],
    ['smoke --rate 0', '--rate must be a positive number'],
    ['smoke --rate 1.5', '--rate must be a positive number'],
    ['checkin-surge --seconds 600', '--seconds is too long: there are not enough badges'],
    ['on-sale --hesitation 1', '--seconds is too short to sell the seats'],
    ['smoke --target https://api.example.com', '--target needs --data'],
    ['smoke --data data.json --rate 3', '--rate is part of the data'],
    ['smoke --data data.json --target api.example.com', '--target must be an http or https URL'],
    ['smoke --data data.json --payments ftp://host', '--payments must be an http or https URL'],
  ])('rejects "%s"', (line, message) => {
    expect(() => parse(line)).toThrow(message);
  });
});
