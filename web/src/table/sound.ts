// A little sound, made here: no file is loaded. Off until it is wanted, and each sound has its caption.

import { t, type Code } from '../lib/messages.svelte';
import { manner } from '../lib/motion.svelte';
import { caption } from './caption.svelte';

type Sound = 'card' | 'chip' | 'bell' | 'win';
const CAPTIONS: Record<Sound, Code> = { card: 'page.table.caption-card', chip: 'page.table.caption-chip', bell: 'page.table.caption-bell', win: 'page.table.caption-win' };
let context: AudioContext | undefined;

/** Play a sound, where sound is wanted; its caption stands for a moment. */
export function play(sound: Sound): void {
  if (!manner.sound) return;
  caption.show(t(CAPTIONS[sound]));
  context ??= new AudioContext();
  const now = context.currentTime;
  if (sound === 'card') noise(context, now, 0.13, 2600, 0.25);
  if (sound === 'chip') for (const late of [0, 0.05]) noise(context, now + late, 0.03, 5200, 0.4);
  if (sound === 'bell') tone(context, now, 880, 0.5, 0.12);
  if (sound === 'win') [523, 659, 784].forEach((pitch, index) => context && tone(context, now + index * 0.12, pitch, 0.35, 0.1));
}

function tone(audio: AudioContext, from: number, pitch: number, length: number, volume: number): void {
  const [source, loud] = [audio.createOscillator(), audio.createGain()];
  source.type = 'triangle';
  source.frequency.value = pitch;
  loud.gain.setValueAtTime(volume, from);
  loud.gain.exponentialRampToValueAtTime(0.001, from + length);
  source.connect(loud).connect(audio.destination);
  source.start(from);
  source.stop(from + length);
}

function noise(audio: AudioContext, from: number, length: number, pitch: number, volume: number): void {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index++) samples[index] = (Math.random() * 2 - 1) * (1 - index / samples.length);
  const [source, band, loud] = [audio.createBufferSource(), audio.createBiquadFilter(), audio.createGain()];
  source.buffer = buffer;
  band.type = 'bandpass';
  band.frequency.value = pitch;
  loud.gain.value = volume;
  source.connect(band).connect(loud).connect(audio.destination);
  source.start(from);
}
