@lf_pool = internal constant [1 x i8] c"\00", align 4

define internal i16 @"run.init.0"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  br label %b0
b0:
  %t1 = getelementptr i8, ptr %b, i32 8
  %t2 = getelementptr i8, ptr %b, i32 8
  %t3 = load i16, ptr %t2, align 2
  %t4 = call { i16, i1 } @llvm.sadd.with.overflow.i16(i16 %t3, i16 1)
  %t5 = extractvalue { i16, i1 } %t4, 0
  %t6 = extractvalue { i16, i1 } %t4, 1
  %t7 = xor i1 %t6, true
  br i1 %t7, label %ok.8, label %bad.9, !prof !0
bad.9:
  %t10 = sext i16 %t3 to i32
  call void @lf_fault(ptr %b, i8 zeroext 3, i16 zeroext 0, i32 %t10, i32 1) #1
  unreachable
ok.8:
  store i16 %t5, ptr %t1, align 2
  %t11 = getelementptr i8, ptr %b, i32 10
  %t12 = getelementptr i8, ptr %b, i32 10
  %t13 = load i8, ptr %t12, align 1
  %t14 = add i8 %t13, 1
  store i8 %t14, ptr %t11, align 1
  %t15 = getelementptr i8, ptr %b, i32 4
  %t16 = getelementptr i8, ptr %b, i32 4
  %t17 = load i32, ptr %t16, align 4
  %t18 = icmp ne i32 3, 0
  br i1 %t18, label %ok.19, label %bad.20, !prof !0
bad.20:
  call void @lf_fault(ptr %b, i8 zeroext 4, i16 zeroext 1, i32 %t17, i32 0) #1
  unreachable
ok.19:
  %t21 = icmp eq i32 3, -1
  %t22 = icmp eq i32 %t17, -2147483648
  %t23 = and i1 %t22, %t21
  %t24 = xor i1 %t23, true
  br i1 %t24, label %ok.25, label %bad.26, !prof !0
bad.26:
  call void @lf_fault(ptr %b, i8 zeroext 3, i16 zeroext 2, i32 %t17, i32 3) #1
  unreachable
ok.25:
  %t27 = srem i32 %t17, 3
  %t28 = icmp ne i32 %t27, 0
  %t29 = xor i32 %t27, 3
  %t30 = icmp slt i32 %t29, 0
  %t31 = and i1 %t28, %t30
  %t32 = sdiv i32 %t17, 3
  %t33 = zext i1 %t31 to i32
  %t34 = sub i32 %t32, %t33
  store i32 %t34, ptr %t15, align 4
  %t35 = getelementptr i8, ptr %b, i32 8
  %t36 = getelementptr i8, ptr %b, i32 4
  %t37 = load i32, ptr %t36, align 4
  %t38 = icmp ne i32 7, 0
  br i1 %t38, label %ok.39, label %bad.40, !prof !0
bad.40:
  call void @lf_fault(ptr %b, i8 zeroext 4, i16 zeroext 3, i32 %t37, i32 0) #1
  unreachable
ok.39:
  %t41 = icmp eq i32 7, -1
  %t42 = select i1 %t41, i32 1, i32 7
  %t43 = srem i32 %t37, %t42
  %t44 = icmp ne i32 %t43, 0
  %t45 = xor i32 %t43, %t42
  %t46 = icmp slt i32 %t45, 0
  %t47 = and i1 %t44, %t46
  %t48 = select i1 %t47, i32 %t42, i32 0
  %t49 = add i32 %t43, %t48
  %t50 = sext i32 %t49 to i64
  %t51 = icmp sge i64 %t50, -32768
  %t52 = icmp sle i64 %t50, 32767
  %t53 = and i1 %t51, %t52
  br i1 %t53, label %ok.54, label %bad.55, !prof !0
bad.55:
  call void @lf_fault(ptr %b, i8 zeroext 2, i16 zeroext 4, i32 %t49, i32 0) #1
  unreachable
ok.54:
  %t56 = trunc i32 %t49 to i16
  store i16 %t56, ptr %t35, align 2
  br label %b1
b1:
  %t57 = sub i8 %slot, 0
  call void @lf_end(ptr %b, i16 zeroext 0, i8 zeroext %t57, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 0)
  ret i16 -32768
}
