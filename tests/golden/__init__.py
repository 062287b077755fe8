"""What PyTorch 2.13 printed: programs with their recorded output, and the recorder."""
