/*
 * The physical limit: a program in a pseudo-terminal, and a loop that reads what it writes and does nothing
 * with it. Prints milliseconds, CPU milliseconds of this process alone, and bytes, as JSON.
 */
#include <pty.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define READ_BUFFER_BYTES (64 * 1024)

static double now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static double cpu_ms(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

int main(int argc, char **argv) {
  static char buffer[READ_BUFFER_BYTES];
  struct winsize size = {.ws_row = 24, .ws_col = 80};
  if (argc < 2) return 2;
  double start_ms = now_ms(), start_cpu_ms = cpu_ms();
  int master;
  pid_t pid = forkpty(&master, NULL, NULL, &size);
  if (pid < 0) return 1;
  if (pid == 0) {
    execvp(argv[1], argv + 1);
    _exit(127);
  }
  long long bytes = 0;
  ssize_t got;
  /* The end of a pseudo-terminal is EIO. */
  while ((got = read(master, buffer, sizeof buffer)) > 0) bytes += got;
  waitpid(pid, NULL, 0);
  printf("{\"ms\":%.3f,\"cpuMs\":%.3f,\"bytes\":%lld}\n", now_ms() - start_ms, cpu_ms() - start_cpu_ms, bytes);
  return 0;
}
